import { GraphQLScalarType, GraphQLError } from 'graphql';
import { IncomingFile } from './incoming-file.js';

/** A file of the request: multipart GraphQL requests and multipart REST calls carry the same thing. */
export const UploadScalar = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description: 'A file of a multipart request (graphql-multipart-request-spec).',
  parseValue: (value) => {
    if (value instanceof IncomingFile) return value;
    throw new GraphQLError('send files as parts of a multipart request');
  },
  parseLiteral: () => {
    throw new GraphQLError('send files as parts of a multipart request');
  },
  serialize: () => {
    throw new GraphQLError('Upload is only an input');
  },
});
