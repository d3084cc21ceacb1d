import {
  GraphQLError,
  Kind,
  getNamedType,
  isInterfaceType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import type {
  ASTNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { AppError } from '../errors.js';
import type { PageSizes } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';

/**
 * Arguments that page: how many rows a field returns without one, and the most that its service allows. A
 * field whose numbers differ has them in its extension `pageSizes`.
 */
export const PAGING_ARGUMENTS: Readonly<Record<string, PageSizes>> = {
  first: { default: LIMITS.pageSizeDefault, max: LIMITS.pageSizeMax },
  pageSize: { default: LIMITS.pageSizeDefault, max: LIMITS.pageSizeMax },
  limit: { default: LIMITS.chunksDefault, max: LIMITS.chunksMax },
  maxSources: { default: LIMITS.subgraphSourcesDefault, max: LIMITS.subgraphSourcesMax },
  pathsMax: { default: LIMITS.pathsDefault, max: LIMITS.pathsMax },
  maxResults: { default: LIMITS.queryResultsDefault, max: LIMITS.queryResultsMax },
};

/** The argument that adds neighbouring chunks to each row. */
const addingArgument = { name: 'numRelatedChunks', max: LIMITS.relatedChunksMax };

/** One operation, as a client asks for it. */
export interface AskedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether __schema and __type may be selected. */
  readonly introspection: boolean;
}

/** What an operation asks for. */
export interface WeighedOperation {
  readonly cost: number;
  /** Counted through fragments. */
  readonly rootFields: number;
}

/** The size of a selection set when its fragments are spread. */
interface Weight {
  /** Fields of this level only. */
  readonly ownFields: number;
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** How deep it goes below __schema or __type. */
  readonly introspectionDepth: number;
  /** How deep selection sets nest, those of fragments included. */
  readonly nesting: number;
  readonly cost: number;
}

const nothing: Weight = {
  ownFields: 0,
  fields: 0,
  aliases: 0,
  depth: 0,
  introspectionDepth: 0,
  nesting: 0,
  cost: 0,
};

/**
 * Checks a document against LIMITS before it is validated: it may be wrong in any way. Takes time in
 * proportion to the document, however its fragments are spread. @throws GraphQLError around an AppError
 * INVALID_INPUT that names the limit and what was asked
 */
export function checkLimits(schema: GraphQLSchema, asked: AskedOperation): WeighedOperation {
  const scale = new Scale(schema, asked);
  let weighed: WeighedOperation = { cost: 0, rootFields: 0 };
  // All definitions: those that are not run are validated all the same.
  for (const definition of asked.document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) scale.fragment(definition.name.value, 0);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const weight = scale.operation(definition);
    checkShape(weight, definition);
    if (definition === asked.operation) weighed = { cost: weight.cost, rootFields: weight.ownFields };
  }
  const { cost } = weighed;
  if (cost > LIMITS.graphqlCostMax) {
    const { graphqlRowCost: row, graphqlRelationGroupCost: group } = LIMITS;
    const rule = `a field costs 1, a row of a list ${row} (of relations ${group}) and what is selected of it`;
    refuse(`operation must cost at most ${LIMITS.graphqlCostMax}, not ${cost}: ${rule}`, asked.operation);
  }
  return weighed;
}

function checkShape(weight: Weight, operation: OperationDefinitionNode): void {
  const check = (actual: number, max: number, rule: (max: number) => string) => {
    if (actual > max) refuse(`operation must ${rule(max)}, not ${actual}`, operation);
  };
  check(weight.ownFields, LIMITS.graphqlRootFieldsMax, (max) => `select at most ${max} root fields`);
  check(weight.aliases, LIMITS.graphqlAliasesMax, (max) => `use at most ${max} aliases`);
  check(weight.fields, LIMITS.graphqlFieldsMax, (max) => `select at most ${max} fields, fragments spread`);
  check(weight.depth, LIMITS.graphqlDepthMax, (max) => `nest fields at most ${max} deep`);
  check(
    weight.introspectionDepth,
    LIMITS.graphqlIntrospectionDepthMax,
    (max) => `nest fields of the introspection at most ${max} deep`,
  );
}

/** Weighs selection sets, every fragment only once. */
class Scale {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  /** Undefined while a fragment is being weighed; found so, it spreads itself. */
  private readonly weights = new Map<string, Weight | undefined>();
  private readonly variables: Record<string, unknown>;
  private readonly lengths = new WeakMap<object, number>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly asked: AskedOperation,
  ) {
    for (const definition of asked.document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
    this.variables = withDefaults(asked);
  }

  operation(operation: OperationDefinitionNode): Weight {
    return this.selections(
      operation.selectionSet,
      this.schema.getRootType(operation.operation) ?? undefined,
      1,
    );
  }

  fragment(name: string, nesting: number): Weight {
    const definition = this.fragments.get(name);
    // Validation has a better message for an unknown fragment.
    if (!definition) return nothing;
    if (!this.weights.has(name)) {
      this.weights.set(name, undefined);
      const type = this.schema.getType(definition.typeCondition.name.value);
      this.weights.set(name, this.selections(definition.selectionSet, type, nesting + 1));
    }
    const weight = this.weights.get(name);
    if (!weight) return refuse(`fragment "${name}" must not spread itself`, definition);
    checkNesting(nesting + weight.nesting, definition);
    return weight;
  }

  private selections(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    nesting: number,
  ): Weight {
    let sum = nothing;
    for (const selection of selections) {
      checkNesting(nesting, selection);
      if (selection.kind === Kind.FIELD) {
        sum = add(sum, this.field(selection, parent, nesting));
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        sum = add(sum, this.fragment(selection.name.value, nesting));
      } else {
        const condition = selection.typeCondition?.name.value;
        const type = condition === undefined ? parent : this.schema.getType(condition);
        sum = add(sum, this.selections(selection.selectionSet, type, nesting + 1));
      }
    }
    return { ...sum, nesting: sum.nesting + 1 };
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined, nesting: number): Weight {
    const introspects = node.name.value === '__schema' || node.name.value === '__type';
    if (introspects && !this.asked.introspection)
      refuse(`introspection is switched off: ${node.name.value} is not served`, node);
    const definition = fieldOf(parent, node.name.value);
    const type = definition && getNamedType(definition.type);
    const below = node.selectionSet ? this.selections(node.selectionSet, type, nesting + 1) : nothing;
    const depth = 1 + below.depth;
    const sizes = definition?.extensions['pageSizes'] as PageSizes | undefined;
    const rows = definition ? this.rows(node, definition, sizes) : undefined;
    const rowCost = sizes?.rowCost ?? LIMITS.graphqlRowCost;
    return {
      ownFields: 1,
      fields: 1 + below.fields,
      aliases: below.aliases + (node.alias ? 1 : 0),
      depth: introspects ? 0 : depth,
      introspectionDepth: introspects ? depth : below.introspectionDepth,
      nesting: below.nesting,
      cost:
        1 +
        this.listedValues(node) +
        (rows === undefined
          ? below.cost
          : rows * (rowCost + this.addedRows(node) * LIMITS.graphqlAddedRowCost + below.cost)),
    };
  }

  /** How many neighbouring chunks each row of a field may bring along. */
  private addedRows(node: FieldNode): number {
    const argument = node.arguments?.find(({ name }) => name.value === addingArgument.name);
    const value = argument ? valueFromASTUntyped(argument.value, this.variables) : undefined;
    return typeof value === 'number' ? Math.min(Math.max(value, 0), addingArgument.max) : 0;
  }

  /** How many rows a paging field may return; undefined for a field that does not page. */
  private rows(
    node: FieldNode,
    definition: GraphQLField<unknown, unknown>,
    ofField: PageSizes | undefined,
  ): number | undefined {
    const given: number[] = [];
    const absent: number[] = [];
    for (const { name, defaultValue } of definition.args) {
      const known = PAGING_ARGUMENTS[name];
      if (!known) continue;
      const paging = ofField ?? known;
      const argument = node.arguments?.find((candidate) => candidate.name.value === name);
      const value = argument ? valueFromASTUntyped(argument.value, this.variables) : undefined;
      // A number outside the range is refused by the field's service, which names the range.
      if (typeof value === 'number') given.push(Math.min(Math.max(value, 1), paging.max));
      absent.push(typeof defaultValue === 'number' ? defaultValue : paging.default);
    }
    if (absent.length === 0) return undefined;
    return Math.max(...(given.length > 0 ? given : absent));
  }

  /** How many values stand in the lists of a field's arguments. */
  private listedValues(node: FieldNode): number {
    return (node.arguments ?? [])
      .map((argument) => this.length(valueFromASTUntyped(argument.value, this.variables)))
      .reduce((sum, length) => sum + length, 0);
  }

  /** The length of a list; for an object, the lengths of its lists and one for each other value. */
  private length(value: unknown): number {
    if (Array.isArray(value)) return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    // Many fields may be given the same large variable.
    const known = this.lengths.get(value);
    if (known !== undefined) return known;
    const length = Object.values(value).reduce<number>(
      (sum, entry) => sum + (Array.isArray(entry) ? entry.length : 1),
      0,
    );
    this.lengths.set(value, length);
    return length;
  }
}

/** Counts through any number of fragments: whatever walks the document later may recurse. */
function checkNesting(nesting: number, node: ASTNode): void {
  if (nesting <= LIMITS.nestingMax) return;
  refuse(`operation must nest fields and fragments at most ${LIMITS.nestingMax} deep, not ${nesting}`, node);
}

function add(a: Weight, b: Weight): Weight {
  return {
    ownFields: a.ownFields + b.ownFields,
    fields: a.fields + b.fields,
    aliases: a.aliases + b.aliases,
    depth: Math.max(a.depth, b.depth),
    introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
    nesting: Math.max(a.nesting, b.nesting),
    cost: a.cost + b.cost,
  };
}

function fieldOf(
  type: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

function withDefaults({ operation, variables }: AskedOperation): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (Object.hasOwn(variables, name)) values[name] = variables[name];
    else if (defaultValue) values[name] = valueFromASTUntyped(defaultValue);
  }
  return values;
}

function refuse(problem: string, node: ASTNode): never {
  const originalError = new AppError('INVALID_INPUT', problem);
  throw new GraphQLError(problem, { nodes: node, originalError });
}
