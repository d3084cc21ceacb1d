import {
  Kind,
  TypeInfo,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { GraphQLInputType, GraphQLSchema, ValueNode } from 'graphql';
import type { Endpoint } from './endpoints.js';
import { REQUEST_EXAMPLES } from './openapi-examples.js';
import { deprecate, describe, inputSchema, isJsonText, presentInput } from './openapi-schemas.js';
import type { JsonSchema, NamedSchemas } from './openapi-schemas.js';
import type { Operation } from './operations.js';
import { aliasesOf } from './request.js';

/** What a request to an endpoint may carry, as parts of an OpenAPI operation object. */
export interface RequestDescription {
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
}

interface Parameter {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly description: string | undefined;
  /** If this is another name of a parameter: the documented name. */
  readonly aliasOf?: string;
  readonly deprecated: boolean;
}

/** The headers that an endpoint reads. */
function headersOf({ idempotent }: Endpoint): JsonSchema[] {
  const names = ['ApiVersion', ...(idempotent ? ['IdempotencyKey'] : [])];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/**
 * Describes path, query and body of an endpoint on one of its paths. @throws Error when the path names
 * something that is no parameter
 */
export function requestDescription(
  { endpoint, operation, path }: { endpoint: Endpoint; operation: Operation; path: string },
  schema: GraphQLSchema,
  named: NamedSchemas,
): RequestDescription {
  const all = parametersOf(endpoint, operation, schema);
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, segment]) => {
    const parameter = all.find(({ name }) => name === segment);
    if (!parameter) throw new Error(`${path}: ${endpoint.operation}.graphql has no ${segment}`);
    return parameter;
  });
  // What the path says is not repeated elsewhere, under any of its names.
  const said = new Set(pathParameters.map(({ name, aliasOf }) => aliasOf ?? name));
  const others = all.filter(({ name, aliasOf }) => !said.has(aliasOf ?? name));
  const parameters = pathParameters.map((parameter) => textParameter(parameter, 'path', named));
  if (hasDocumentedBody(endpoint)) {
    parameters.push(...headersOf(endpoint));
    return { parameters, requestBody: bodyOf(endpoint, others, named) };
  }
  parameters.push(
    ...others.map((parameter) => textParameter(parameter, 'query', named)),
    ...headersOf(endpoint),
  );
  return { parameters };
}

/** The body of a DELETE is accepted but not documented, since clients and proxies may drop it. */
export function hasDocumentedBody(endpoint: Endpoint): boolean {
  return endpoint.body !== 'none' && endpoint.method !== 'DELETE';
}

function parametersOf(endpoint: Endpoint, operation: Operation, schema: GraphQLSchema): Parameter[] {
  const descriptions = describeVariables(operation, schema);
  const parameters = [...operation.variables].map(([name, type]): Parameter => {
    return { name, type, description: descriptions.get(name), deprecated: false };
  });
  const aliases = aliasesOf(endpoint, operation).flatMap(({ alias, name, deprecated }): Parameter[] => {
    const type = operation.variables.get(name);
    return type ? [{ name: alias, type, aliasOf: name, deprecated, description: undefined }] : [];
  });
  return [...parameters, ...aliases];
}

/** The descriptions of variables: those of the arguments and input fields that they are given to. */
function describeVariables(operation: Operation, schema: GraphQLSchema): Map<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const note = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === Kind.VARIABLE && description) descriptions.set(value.name.value, description);
  };
  visit(
    operation.document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ value }) => note(value, typeInfo.getArgument()?.description),
      ObjectField: ({ name, value }) => {
        const input = getNullableType(typeInfo.getParentInputType());
        if (isInputObjectType(input)) note(value, input.getFields()[name.value]?.description);
      },
    }),
  );
  return descriptions;
}

function textParameter(parameter: Parameter, place: 'path' | 'query', named: NamedSchemas): JsonSchema {
  const { name, type, deprecated } = parameter;
  const schema = presentInput(type, named);
  const { description } = explain({}, parameter);
  return {
    name,
    in: place,
    ...(description ? { description } : {}),
    required: place === 'path' || isRequired(parameter),
    ...(deprecated ? { deprecated } : {}),
    ...(isJsonText(type) ? { content: { 'application/json': { schema } } } : { schema }),
  };
}

function bodyOf(endpoint: Endpoint, parameters: readonly Parameter[], named: NamedSchemas): JsonSchema {
  const withoutFiles = parameters.filter(({ type }) => getNamedType(type).name !== 'Upload');
  const example = REQUEST_EXAMPLES[endpoint.operation];
  const json = { schema: objectOf(withoutFiles, (type) => inputSchema(type, named)), example };
  if (endpoint.body === 'json') return { required: true, content: { 'application/json': json } };
  const inForm = (type: GraphQLInputType) => formField(type, named);
  const required = Object.entries(example ?? {}).filter(([key]) =>
    parameters.some((parameter) => parameter.name === key && isRequired(parameter)),
  );
  const formExample = Object.fromEntries(required);
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: objectOf(parameters, inForm), example: formExample },
      'application/x-www-form-urlencoded': { schema: objectOf(withoutFiles, inForm), example: formExample },
      'application/json': json,
    },
  };
}

function objectOf(
  parameters: readonly Parameter[],
  schemaOf: (type: GraphQLInputType) => JsonSchema,
): JsonSchema {
  const required = parameters.filter(isRequired).map(({ name }) => name);
  const properties = parameters.map((parameter) => [
    parameter.name,
    explain(schemaOf(parameter.type), parameter),
  ]);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
  };
}

// Form fields are text, without contentMediaType, which makes viewers take a field for a file.
function formField(type: GraphQLInputType, named: NamedSchemas): JsonSchema {
  if (!isJsonText(type)) return presentInput(type, named);
  return {
    type: 'string',
    description: 'JSON, written as text: what the field of this name is in an application/json body.',
  };
}

function explain(schema: JsonSchema, { aliasOf, deprecated, description }: Parameter): JsonSchema {
  if (aliasOf === undefined) return describe(schema, description);
  return deprecated ? deprecate(schema, aliasOf) : describe(schema, `Another name of ${aliasOf}.`);
}

// A required parameter may be sent under another name instead, which OpenAPI cannot express.
function isRequired({ type, aliasOf }: Parameter): boolean {
  return isNonNullType(type) && aliasOf === undefined;
}
