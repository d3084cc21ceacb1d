import { getNullableType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

const alone = 'A field that fails is null, `errors` says why at its path, and the other fields are answered.';

/**
 * Lets each field of Query and Mutation fail alone, by making it nullable. A non-null field that fails takes
 * all of `data` with it: a key that one mutation has just made, and shows only once, would be lost when the
 * next one failed.
 */
export function failAlone(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) query.description = `What can be read. ${alone}`;
  if (mutation)
    mutation.description = `What can be changed: one field after the other, as they stand in the document, also behind one that fails. ${alone}`;
  for (const root of [query, mutation]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
  return schema;
}
