import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

/** A moment, under the name and with the checks of the library's scalar. */
export const GraphQLTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  description:
    'A moment in ISO 8601 with its offset, such as 2007-12-03T10:15:30Z; in answers always in UTC with milliseconds.',
});
