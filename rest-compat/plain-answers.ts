import { runInThisContext } from 'node:vm';
import {
  Kind,
  getArgumentValues,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import type {
  FieldNode,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../src/api/request-context.js';
import { answerKey, omittingDirectives } from './directives.js';
import type { Operation } from './operations.js';

/** Turns the value of an operation's root field into the answer. */
export type Shape = (value: unknown) => unknown;

/**
 * Compiles the answer of an operation whose root field returns only plain properties, all the way down:
 * functions that are generated once copy these to their documented names. Executing such an operation field
 * by field takes several times as long as Postgres does for a page of thousands of rows. Undefined for any
 * other operation.
 */
export function compileShape({ root, rootType, chosen }: Operation): Shape | undefined {
  if (chosen.length > 0) return undefined;
  return shapeOf(rootType, root.selectionSet);
}

/**
 * Runs an operation's root field with the usual authorization, arguments and deadline. @throws whatever it
 * throws
 */
export async function resolveRoot(
  schema: GraphQLSchema,
  { document, root, rootField }: Operation,
  { variables, context }: { variables: Record<string, unknown>; context: RequestContext },
): Promise<unknown> {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || !rootField.resolve)
    throw new Error(`${root.name.value} cannot be run`);
  const { coerced, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], variables);
  if (errors?.[0]) throw errors[0];
  const values = getArgumentValues(rootField, root, coerced);
  // The only parts that this schema's code uses: which fields are selected, and of which type.
  const info = {
    fieldName: root.name.value,
    fieldNodes: [root],
    fragments: {},
    parentType: schema.getRootType(definition.operation),
  } as unknown as GraphQLResolveInfo;
  return rootField.resolve(undefined, values, context, info);
}

function shapeOf(type: GraphQLOutputType, selection: SelectionSetNode | undefined): Shape | undefined {
  const required = isNonNullType(type);
  const shape = presentShape(required ? (type.ofType as GraphQLOutputType) : type, selection);
  return (
    shape &&
    ((value) => {
      if (value !== null && value !== undefined) return shape(value);
      if (required) throw new Error(`a value of type ${String(type)} is missing`);
      return null;
    })
  );
}

function presentShape(type: GraphQLOutputType, selection: SelectionSetNode | undefined): Shape | undefined {
  if (isListType(type)) {
    const entry = shapeOf(type.ofType, selection);
    return entry && ((value) => (value as readonly unknown[]).map((each) => entry(each)));
  }
  if (isLeafType(type)) {
    if (isSpecifiedScalarType(type)) return (value) => value;
    // What the date scalars produce, in half the time.
    return (value) => (value instanceof Date ? value.toISOString() : type.serialize(value));
  }
  if (!isObjectType(type) || !selection) return undefined;
  const fields = type.getFields();
  const copies = selection.selections.flatMap((node): Copy[] => {
    const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
    if (node.kind !== Kind.FIELD || !field || field.resolve) return [];
    const shape = shapeOf(field.type, node.selectionSet);
    const key = answerKey(node);
    return shape ? [{ key, name: field.name, shape, omits: omitted(node) }] : [];
  });
  return copies.length < selection.selections.length ? undefined : writtenOut(copies);
}

/** How one key of an answer is made from a property. */
interface Copy {
  readonly key: string;
  readonly name: string;
  readonly shape: Shape;
  readonly omits: ((value: unknown) => boolean) | undefined;
}

/**
 * Generates a function that makes an object with these keys, written out one by one: a generic loop, which
 * all types would share, makes V8 look up every name and takes eight times as long. The names come from the
 * schema and this folder's operations, never from a caller.
 */
function writtenOut(copies: readonly Copy[]): Shape {
  const each = copies.map(({ key, name, omits }, n) =>
    omits
      ? `const copied${n} = shape${n}(value.${name}); if (!omits${n}(copied${n})) answer.${key} = copied${n};`
      : `answer.${key} = shape${n}(value.${name});`,
  );
  const names = copies.map((_, n) => `{ shape: shape${n}, omits: omits${n} }`);
  const code = `([${names.join(', ')}]) => (value) => { const answer = {}; ${each.join(' ')} return answer; }`;
  return (runInThisContext(code) as (from: readonly Copy[]) => Shape)(copies);
}

/** The test for values whose key is left out; undefined when it never is. */
function omitted({ directives }: FieldNode): ((value: unknown) => boolean) | undefined {
  const rules = (directives ?? []).flatMap(({ name }) => omittingDirectives.get(name.value) ?? []);
  return rules.length === 0 ? undefined : (value) => rules.some((omits) => omits(value));
}
