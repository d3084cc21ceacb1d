import { getNamedType, isEnumType, isNonNullType, isObjectType, isScalarType } from 'graphql';
import type { GraphQLOutputType } from 'graphql';

const depthMax = 6;

/** A selection of everything that a type shows, to some depth; empty for a scalar. */
export function selectAll(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some((argument) => isNonNullType(argument.type))) return [];
    const inner = getNamedType(field.type);
    if (isScalarType(inner) || isEnumType(inner)) return [field.name];
    const selection = depth < depthMax ? selectAll(field.type, depth + 1) : '';
    return selection === '' ? [] : [`${field.name} ${selection}`];
  });
  return `{ ${fields.join(' ')} }`;
}
