import { getNullableType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

const alone =
  'A field that fails is null and has an entry with its path in `errors`; the other fields are still answered.';

/** Says what the root types are for: type-graphql makes them without a description. */
export function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const descriptions = {
    Query: `Everything that can be read: search answers questions, database and indexingStatus say whether a database and its items are ready. ${alone}`,
    Mutation: `Everything that can be changed. To begin: createDatabase, then ingest; deleteSources and deleteDatabase remove. Fields are executed one after the other in the order of the document, even after one that fails. ${alone}`,
    Subscription:
      'What is reported as it happens, over graphql-ws at the same path, with the key in connectionParams.authorization.',
  };
  for (const [name, description] of Object.entries(descriptions)) {
    const type = schema.getType(name);
    if (type) type.description = description;
  }
  return schema;
}

/**
 * Lets each field of Query and Mutation fail alone, by making it nullable. A non-null field that fails takes
 * all of `data` with it: a key that one mutation has just made, and shows only once, would be lost when the
 * next one failed.
 */
export function failAlone(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
  return schema;
}
