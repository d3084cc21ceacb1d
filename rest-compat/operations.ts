import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GraphQLNonNull,
  Kind,
  OperationTypeNode,
  getNullableType,
  isInputType,
  parse,
  typeFromAST,
  validate,
  visit,
} from 'graphql';
import type {
  ASTNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLInputType,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
} from 'graphql';
import { packageRoot } from '../src/lib/package-root.js';
import { answerKey, choicesOf, findMarked, isInMeta, keyOf, omissionsOf } from './directives.js';
import type { Choice, Omission } from './directives.js';
import type { Endpoint } from './endpoints.js';

/** An endpoint's operation, checked against the schema once, at start. */
export interface Operation {
  readonly document: DocumentNode;
  /** Whether it is a mutation. */
  readonly writes: boolean;
  /** The type of each documented parameter. */
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
  /** The only root field, as the operation selects it and as the schema defines it. */
  readonly root: FieldNode;
  readonly rootField: GraphQLField<unknown, unknown>;
  /**
   * The type of its value. Never null: where GraphQL answers null beside an error, REST answers the error.
   */
  readonly rootType: GraphQLOutputType;
  /** The response key of the root field. */
  readonly rootKey: string;
  /** Response keys below the root that are left out for certain values. */
  readonly omitted: readonly Omission[];
  /** Lists in the root's value that are answered as objects: by response key, the key of their entries. */
  readonly keyed: ReadonlyMap<string, string>;
  /** Response keys of the root's value that are moved to meta. */
  readonly inMeta: readonly string[];
  /** Response keys below the root that callers choose. */
  readonly chosen: readonly Choice[];
}

const fragments: ReadonlyMap<string, FragmentDefinitionNode> = new Map(
  parse(readFileSync(join(packageRoot, 'rest-compat', 'fragments.graphql'), 'utf8')).definitions.flatMap(
    (node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : []),
  ),
);

const loaded = new WeakMap<GraphQLSchema, Map<string, Operation>>();

// One document for each set of chosen keys.
const chosenDocuments = new WeakMap<DocumentNode, Map<string, DocumentNode>>();

/** Reads and checks an endpoint's operation, once. @throws Error when it does not fit the schema */
export function loadOperation(schema: GraphQLSchema, endpoint: Endpoint): Operation {
  const ofSchema = loaded.get(schema) ?? new Map<string, Operation>();
  loaded.set(schema, ofSchema);
  const operation = ofSchema.get(endpoint.operation) ?? readOperation(schema, endpoint);
  ofSchema.set(endpoint.operation, operation);
  return operation;
}

/** The operation in operations/<name>.graphql, with the fragments that it spreads. */
export function operationDocument(name: string): DocumentNode {
  const file = join(packageRoot, 'rest-compat', 'operations', `${name}.graphql`);
  return withFragments(parse(readFileSync(file, 'utf8')));
}

function readOperation(schema: GraphQLSchema, endpoint: Endpoint): Operation {
  const written = operationDocument(endpoint.operation);
  const problems = validate(schema, written);
  if (problems.length > 0)
    throw new Error(`${endpoint.operation}.graphql: ${problems.map((p) => p.message).join('; ')}`);
  const document = spreadOut(written);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`${endpoint.operation}.graphql has no operation`);
  const [root] = definition.selectionSet.selections;
  if (definition.selectionSet.selections.length !== 1 || root?.kind !== Kind.FIELD) {
    throw new Error(`${endpoint.operation}.graphql must select one root field`);
  }
  const rootField = schema.getRootType(definition.operation)?.getFields()[root.name.value];
  if (!rootField) throw new Error(`${endpoint.operation}.graphql: the schema has no ${root.name.value}`);
  const selected = (root.selectionSet?.selections ?? []).filter((node) => node.kind === Kind.FIELD);
  return {
    document,
    root,
    rootField,
    rootType: new GraphQLNonNull(getNullableType(rootField.type)),
    writes: definition.operation === OperationTypeNode.MUTATION,
    variables: variableTypes(schema, definition),
    rootKey: answerKey(root),
    omitted: findMarked(root.selectionSet, omissionsOf),
    keyed: new Map(
      selected.flatMap((node): [string, string][] => {
        const by = keyOf(node);
        return by === undefined ? [] : [[answerKey(node), by]];
      }),
    ),
    chosen: findMarked(root.selectionSet, choicesOf),
    inMeta: selected.filter(isInMeta).map(answerKey),
  };
}

/** Adds to a document the shared fragments that it spreads. */
function withFragments(document: DocumentNode): DocumentNode {
  const used = new Set<FragmentDefinitionNode>();
  const collect = (node: ASTNode) =>
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        collect(fragment);
      },
    });
  collect(document);
  return { ...document, definitions: [...document.definitions, ...used] };
}

/**
 * Puts the fields of fragments in the places where they are spread, so that later code need not know of
 * fragments.
 */
function spreadOut({ definitions: [operation], ...document }: DocumentNode): DocumentNode {
  const spread = (selections: readonly SelectionNode[]): SelectionNode[] =>
    selections.flatMap((selection) =>
      selection.kind === Kind.FRAGMENT_SPREAD
        ? spread(fragments.get(selection.name.value)?.selectionSet.selections ?? [])
        : [selection],
    );
  const definitions = operation
    ? [
        visit(operation, {
          SelectionSet: (node) => ({ ...node, selections: spread(node.selections) }),
        }),
      ]
    : [];
  return { ...document, definitions };
}

/** The document without the keys that this caller does not choose, so that nothing is computed for them. */
export function chosenDocument(
  { document, chosen }: Operation,
  variables: Readonly<Record<string, unknown>>,
): DocumentNode {
  if (chosen.length === 0) return document;
  const isWanted = ({ parameter, name, byDefault }: Choice) => {
    const list = variables[parameter];
    return Array.isArray(list) ? list.includes(name) : byDefault;
  };
  const known = chosenDocuments.get(document) ?? new Map<string, DocumentNode>();
  chosenDocuments.set(document, known);
  const key = chosen.map((choice) => Number(isWanted(choice))).join('');
  const found = known.get(key) ?? withoutFields(document, isWanted);
  known.set(key, found);
  return found;
}

function withoutFields(document: DocumentNode, isWanted: (choice: Choice) => boolean): DocumentNode {
  return visit(document, {
    Field: ({ directives }) => {
      const choices = (directives ?? []).flatMap((directive) => choicesOf(directive, []));
      return choices.every(isWanted) ? undefined : null;
    },
  });
}

function variableTypes(
  schema: GraphQLSchema,
  definition: OperationDefinitionNode,
): Map<string, GraphQLInputType> {
  const types = new Map<string, GraphQLInputType>();
  for (const { variable, type: node } of definition.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    if (type && isInputType(type)) types.set(variable.name.value, type);
  }
  return types;
}
