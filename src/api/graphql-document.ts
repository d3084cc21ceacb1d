import { GraphQLError, Lexer, Source, TokenKind, getOperationAST, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Config } from '../config.js';
import { AppError, invalidInput } from '../errors.js';
import { checkText } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import { checkLimits } from './graphql-limits.js';

/** What a GraphQL client asks, over HTTP or a WebSocket. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables: Record<string, unknown>;
}

/** A request that has been checked, and may be validated and run. */
export interface CheckedRequest {
  readonly operation: OperationDefinitionNode;
  /** Counted through fragments; each counts as one request of the key. */
  readonly rootFields: number;
}

/**
 * Makes all checks that are possible before validation, and finds the operation to run. @throws AppError, or
 * GraphQLError where the place in the document is known; both INVALID_INPUT
 */
export function checkRequest(
  schema: GraphQLSchema,
  { query, operationName, variables }: GraphqlRequest,
  { graphqlIntrospection: introspection }: Pick<Config, 'graphqlIntrospection'>,
): CheckedRequest {
  checkText(variables, 'variables');
  const document = readDocument(query);
  const operation = findOperation(document, operationName);
  const { rootFields } = checkLimits(schema, { document, operation, variables, introspection });
  return { operation, rootFields };
}

// Clients send the same few documents with different variables. A parsed one takes some 33 bytes per
// character.
const keptCharactersMax = 400_000;
const keptDocumentCharactersMax = 20_000;
const kept = new Map<string, DocumentNode>();
let keptCharacters = 0;

function readDocument(query: string): DocumentNode {
  const known = kept.get(query);
  if (known) return known;
  checkTokens(query);
  const document = parse(query);
  if (query.length > keptDocumentCharactersMax) return document;
  if (keptCharacters + query.length > keptCharactersMax) {
    kept.clear();
    keptCharacters = 0;
  }
  kept.set(query, document);
  keptCharacters += query.length;
  return document;
}

const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/**
 * Checks the tokens before anything is parsed: the parser recurses at every bracket, and its own limit
 * ignores comments.
 */
function checkTokens(query: string): void {
  const check = (actual: number, max: number, what: string) => {
    if (actual > max) throw new AppError('INVALID_INPUT', `document must ${what}, not ${actual}`);
  };
  const { graphqlDocumentCharactersMax, graphqlTokensMax, graphqlDirectivesMax, nestingMax } = LIMITS;
  check(
    query.length,
    graphqlDocumentCharactersMax,
    `have at most ${graphqlDocumentCharactersMax} characters`,
  );
  const lexer = new Lexer(new Source(query));
  let tokens = 0;
  let directives = 0;
  let nesting = 0;
  let nestingReached = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens += 1;
    if (token.kind === TokenKind.AT) directives += 1;
    if (opening.includes(token.kind)) nesting += 1;
    if (closing.includes(token.kind)) nesting -= 1;
    nestingReached = Math.max(nestingReached, nesting);
    if (token.value?.includes('\u0000')) {
      throw new GraphQLError('document must not contain a NUL character', {
        source: lexer.source,
        positions: [token.start],
      });
    }
  }
  check(tokens, graphqlTokensMax, `have at most ${graphqlTokensMax} tokens`);
  check(directives, graphqlDirectivesMax, `use at most ${graphqlDirectivesMax} directives`);
  check(nestingReached, nestingMax, `nest brackets at most ${nestingMax} deep`);
}

function findOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  throw name === undefined
    ? new AppError(
        'INVALID_INPUT',
        'document must have one operation, or operationName must name one of them',
      )
    : invalidInput('operationName', `must name an operation of the document; there is no "${name}"`);
}
