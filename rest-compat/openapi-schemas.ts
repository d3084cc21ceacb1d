import {
  Kind,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  print,
} from 'graphql';
import type {
  FieldNode,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLScalarType,
  SelectionSetNode,
} from 'graphql';
import { ITEM_ALIASES } from './aliases.js';
import { fieldsOf, toSnakeCase } from './coerce.js';
import { answerKey, choosingDirective, isInMeta, keyOf, omittingDirectives } from './directives.js';

/** A JSON Schema in the 2020-12 dialect, which is the one of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of components/schemas by name; filled while the document is made. */
export type NamedSchemas = Map<string, JsonSchema>;

const scalarSchemas: Readonly<Record<string, JsonSchema>> = {
  Boolean: { type: 'boolean' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  JSON: { description: 'Any JSON value.' },
  JSONObject: { type: 'object' },
  String: { type: 'string' },
  Upload: { type: 'string', format: 'binary' },
};

/** The schema of a parameter, or a key of an item, in JSON. */
export function inputSchema(type: GraphQLInputType, named: NamedSchemas): JsonSchema {
  if (isNonNullType(type)) return presentInput(type.ofType, named);
  return nullable(presentInput(type, named));
}

/** The same without null, which a query string or form cannot express. */
export function presentInput(type: GraphQLInputType, named: NamedSchemas): JsonSchema {
  if (isNonNullType(type)) return presentInput(type.ofType, named);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, named) };
  if (isEnumType(type)) return enumReference(type, named);
  if (isScalarType(type)) return scalarSchema(type);
  return reference(type.name, named, () => itemSchema(type, named));
}

/** The schema of a selected value: its keys are those of the operation, its types those of GraphQL. */
export function outputSchema(
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  named: NamedSchemas,
): JsonSchema {
  if (!isNonNullType(type)) return nullable(presentOutput(type, selection, named));
  return presentOutput(type.ofType, selection, named);
}

/** Adds a description in front of an existing one, with names spelled as in REST. */
export function describe(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (!description) return schema;
  return {
    ...schema,
    description: [spellForRest(description), schema['description']].filter(Boolean).join(' '),
  };
}

/** Marks a schema as that of a deprecated name. */
export function deprecate(schema: JsonSchema, preferred: string): JsonSchema {
  return { ...schema, description: `Deprecated name of ${preferred}.`, deprecated: true };
}

/** Whether values of this type are written as JSON even in a form or a query string. */
export function isJsonText(type: GraphQLInputType): boolean {
  const inner = getNamedType(type);
  return isInputObjectType(inner) || inner.name === 'JSON' || inner.name === 'JSONObject';
}

/** Defines a schema under a name, once, and returns a reference to it. */
export function reference(name: string, named: NamedSchemas, make: () => JsonSchema): JsonSchema {
  if (!named.has(name)) {
    // Reserved before it is made, since a type may contain itself.
    named.set(name, {});
    named.set(name, make());
  }
  return { $ref: `#/components/schemas/${name}` };
}

function presentOutput(
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  named: NamedSchemas,
): JsonSchema {
  if (isNonNullType(type)) return presentOutput(type.ofType, selection, named);
  if (isListType(type)) return { type: 'array', items: outputSchema(type.ofType, selection, named) };
  if (isEnumType(type)) return enumReference(type, named);
  if (isScalarType(type)) return scalarSchema(type);
  if (selection && (isObjectType(type) || isInterfaceType(type))) return objectSchema(type, selection, named);
  throw new Error(`a selection of ${type.name} has no JSON Schema`);
}

function objectSchema(
  type: GraphQLObjectType | GraphQLInterfaceType,
  selection: SelectionSetNode,
  named: NamedSchemas,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const keyOfValue = new Map<string, string>();
  for (const node of fieldNodes(selection)) {
    if (isInMeta(node)) continue;
    const field = type.getFields()[node.name.value];
    if (!field) throw new Error(`${type.name}.${node.name.value} has no JSON Schema`);
    const key = answerKey(node);
    const omitted = node.directives?.find(({ name }) => omittingDirectives.has(name.value))?.name.value;
    const schema =
      omitted === 'omitNull'
        ? presentOutput(field.type, node.selectionSet, named)
        : keyedSchema(outputSchema(field.type, node.selectionSet, named), node);
    const isChosen = node.directives?.some(({ name }) => name.value === choosingDirective);
    if (omitted === undefined && !isChosen) required.push(key);
    // A field that is selected a second time is the deprecated twin of the first.
    const value = [node.name, ...(node.arguments ?? []), node.selectionSet].map(
      (part) => part && print(part),
    );
    const twin = keyOfValue.get(value.join(' '));
    properties[key] = twin === undefined ? describe(schema, field.description) : deprecate(schema, twin);
    if (twin === undefined) keyOfValue.set(value.join(' '), key);
  }
  return describe({ type: 'object', required, properties }, type.description);
}

/** The schema of a list; of an object where the list is answered as one. */
function keyedSchema(schema: JsonSchema, node: FieldNode): JsonSchema {
  return keyOf(node) === undefined ? schema : { type: 'object', additionalProperties: schema['items'] };
}

function fieldNodes(selection: SelectionSetNode): FieldNode[] {
  return selection.selections.map((node) => {
    if (node.kind !== Kind.FIELD) throw new Error(`a selection by ${node.kind} has no JSON Schema`);
    return node;
  });
}

function itemSchema(type: GraphQLInputObjectType, named: NamedSchemas): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, field] of fieldsOf(type)) {
    properties[key] = describe(inputSchema(field.type, named), field.description);
    if (isRequiredInputField(field)) required.push(key);
  }
  for (const { alias, name } of ITEM_ALIASES[type.name] ?? []) {
    const schema = properties[name];
    if (schema) properties[alias] = deprecate(schema, name);
  }
  const schema = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
    ...(type.extensions['closed'] ? { additionalProperties: false } : {}),
  };
  return describe(schema, type.description);
}

function enumReference(type: GraphQLEnumType, named: NamedSchemas): JsonSchema {
  const values = type.getValues();
  const meanings = values.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n');
  return reference(type.name, named, () =>
    describe({ type: 'string', enum: values.map(({ name }) => name) }, `${type.description}\n\n${meanings}`),
  );
}

function scalarSchema(type: GraphQLScalarType): JsonSchema {
  const schema = scalarSchemas[type.name];
  if (!schema) throw new Error(`the scalar ${type.name} has no JSON Schema`);
  return schema;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema['$ref']) return { anyOf: [schema, { type: 'null' }] };
  return schema['type'] === undefined ? schema : { ...schema, type: [schema['type'], 'null'] };
}

// Descriptions use GraphQL's names; REST has the same ones in snake_case.
function spellForRest(description: string): string {
  return description.replace(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g, toSnakeCase);
}
