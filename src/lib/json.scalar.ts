import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import type { ValueNode } from 'graphql';
import { GraphQLJSON as AnyJson, GraphQLJSONObject as AnyJsonObject } from 'graphql-scalars';
import { isRounded } from './exact-json.js';
import { roundedProblem } from './text-check.js';

/** Any JSON value. */
export const GraphQLJSON = strict(AnyJson);
/** A JSON object. */
export const GraphQLJSONObject = strict(AnyJsonObject);

/** The library's scalar drops bare words in a document: `{team: RED}` would become `{}`. */
function strict<Internal, External>(
  scalar: GraphQLScalarType<Internal, External>,
): GraphQLScalarType<Internal, External> {
  return new GraphQLScalarType({
    ...scalar.toConfig(),
    parseLiteral: (node, variables) => {
      checkLiteral(node, scalar.name);
      return scalar.parseLiteral(node, variables);
    },
  });
}

function checkLiteral(node: ValueNode, type: string): void {
  if (node.kind === Kind.INT && isRounded(node.value))
    throw new GraphQLError(`${type} ${roundedProblem(node.value)}`, { nodes: node });
  if (node.kind === Kind.ENUM)
    throw new GraphQLError(`${type} cannot hold the bare word ${node.value}: write it in quotation marks`, {
      nodes: node,
    });
  if (node.kind === Kind.LIST) for (const value of node.values) checkLiteral(value, type);
  if (node.kind === Kind.OBJECT) for (const { value } of node.fields) checkLiteral(value, type);
}
