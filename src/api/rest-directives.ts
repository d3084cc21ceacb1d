import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';

/** The key is left out of the answer when it has this value. */
const omitting = (name: string, value: string) =>
  new GraphQLDirective({
    name,
    description: `Leaves the key out of the REST answer when its value is ${value}.`,
    locations: [DirectiveLocation.FIELD],
  });

const inMeta = new GraphQLDirective({
  name: 'inMeta',
  description: 'Puts the value into meta of the REST answer instead of data.',
  locations: [DirectiveLocation.FIELD],
});

const keyedBy = new GraphQLDirective({
  name: 'keyedBy',
  description:
    'Turns the list into an object in the REST answer, whose keys are the values of this field of the entries.',
  locations: [DirectiveLocation.FIELD],
  args: { key: { type: new GraphQLNonNull(GraphQLString), description: 'A field of the entries.' } },
});

/** What `include_fields` of REST chooses from, and what each is. */
const listFields = {
  title: 'The title of the item.',
  type: 'The category that was sent with the item, else knowledge or memory.',
  description: 'The description that was sent with an app item.',
  note: 'The same as description.',
  timestamp: 'When the item was written.',
  metadata: 'Its metadata.',
  additional_metadata: 'Its free-form values.',
  relations: 'Its newest relations between entities.',
  evidence: 'The evidence kind and subject that were sent with the item.',
};
const listField = new GraphQLEnumType({
  name: 'ListField',
  description:
    'Fields that include_fields of a REST list can choose from; all other fields are always returned.',
  values: Object.fromEntries(
    Object.entries(listFields).map(([name, description]) => [name, { description }]),
  ),
});
const choosing = new GraphQLDirective({
  name: 'onlyIf',
  description:
    'Leaves the key out of the REST answer unless the list in names it, or that list is absent and byDefault is true.',
  locations: [DirectiveLocation.FIELD],
  args: {
    named: { type: new GraphQLNonNull(listField), description: 'What the key is called in the list.' },
    in: {
      type: new GraphQLList(new GraphQLNonNull(listField)),
      description:
        'Which of these fields to return; when absent, all but note, relations and evidence. All other fields are always returned.',
    },
    byDefault: {
      type: GraphQLBoolean,
      defaultValue: true,
      description: 'Whether the key is answered when the list is absent.',
    },
  },
});

/**
 * Directives on fields of REST operations: they say of an answer what a selection cannot. rest-compat carries
 * them out; elsewhere they do nothing.
 */
export const restDirectives: readonly GraphQLDirective[] = [
  omitting('omitNull', 'null'),
  omitting('omitFalse', 'false'),
  omitting('omitEmpty', 'an empty list'),
  choosing,
  inMeta,
  keyedBy,
];
