// Shows the document that stands in the page. The key is kept for as long as the page is open, and nowhere else.

const Nothing = () => null;

/** Lets a form begin empty: the viewer would fill in every field, and so send a value under deprecated names too. */
const emptyForms = {
  wrapComponents: {
    RequestBody: (RequestBody, system) => (props) => {
      const { fn, getComponent } = props;
      // Asked with a media type for a whole body, with false for a field of a form.
      const getSampleSchema = (schema, mediaType, ...options) => {
        if (mediaType !== false) return fn.getSampleSchema(schema, mediaType, ...options);
        return fn.getSchemaObjectType(schema) === 'array' ? '[]' : '';
      };
      return system.React.createElement(RequestBody, {
        ...props,
        fn: { ...fn, getSampleSchema },
        // Its check box asks for empty values to be sent, and is set to begin with.
        getComponent: (name, ...options) =>
          name === 'ParameterIncludeEmpty' ? Nothing : getComponent(name, ...options),
      });
    },
  },
};

/** Lets a body begin anew when its content type changes: the viewer would show what it keeps of a form as JSON. */
const newBodyPerType = {
  statePlugins: {
    oas3: {
      wrapActions: {
        setRequestContentType: (setType, system) => (change) => {
          system.oas3Actions.setRequestBodyValue({ value: undefined, pathMethod: change.pathMethod });
          return setType(change);
        },
      },
    },
  },
};

window.SwaggerUIBundle({
  domNode: document.getElementById('viewer'),
  spec: JSON.parse(document.getElementById('openapi').textContent),
  layout: 'BaseLayout',
  plugins: [emptyForms, newBodyPerType],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  // The default asks another host.
  validatorUrl: null,
});
