// Shows the document that is embedded in the page. The key is kept only as long as the page is open.

const Nothing = () => null;

/**
 * Lets forms begin empty: the viewer would fill in every field, and so send values under deprecated names
 * too.
 */
const emptyForms = {
  wrapComponents: {
    RequestBody: (RequestBody, system) => (props) => {
      const { fn, getComponent } = props;
      // Called with a media type for a whole body, and with false for a field of a form.
      const getSampleSchema = (schema, mediaType, ...options) => {
        if (mediaType !== false) return fn.getSampleSchema(schema, mediaType, ...options);
        return fn.getSchemaObjectType(schema) === 'array' ? '[]' : '';
      };
      return system.React.createElement(RequestBody, {
        ...props,
        fn: { ...fn, getSampleSchema },
        // The viewer's check box for sending empty values is ticked at first.
        getComponent: (name, ...options) =>
          name === 'ParameterIncludeEmpty' ? Nothing : getComponent(name, ...options),
      });
    },
  },
};

/**
 * Resets the body when its content type changes: the viewer would show what it remembers of a form as JSON.
 */
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
