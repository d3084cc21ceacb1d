import { GraphQLError, Kind, getNamedType, isInterfaceType, isObjectType } from 'graphql';
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
import { LIMITS } from '../limits.js';
import { ArgumentValues, pageSizesOf } from './argument-values.js';

/** One operation, as a client asks for it. */
export interface AskedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether __schema and __type may be selected. */
  readonly introspection: boolean;
}

/** The size of a selection set when its fragments are spread. */
export interface Weight {
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
 * Weighs selection sets, every fragment only once. @throws GraphQLError around an AppError INVALID_INPUT for
 * what nests too deep, a fragment that spreads itself, and introspection where it is not served
 */
export class Scale {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  /** Undefined while a fragment is being weighed; found so, it spreads itself. */
  private readonly weights = new Map<string, Weight | undefined>();
  private readonly values: ArgumentValues;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly asked: AskedOperation,
  ) {
    for (const definition of asked.document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
    this.values = new ArgumentValues(asked.operation, asked.variables);
  }

  operation(operation: OperationDefinitionNode): Weight {
    const root = this.schema.getRootType(operation.operation) ?? undefined;
    return this.selections(operation.selectionSet, root, 1);
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
    return {
      ownFields: 1,
      fields: 1 + below.fields,
      aliases: below.aliases + (node.alias ? 1 : 0),
      depth: introspects ? 0 : depth,
      introspectionDepth: introspects ? depth : below.introspectionDepth,
      nesting: below.nesting,
      cost: 1 + this.values.listedValues(node) + this.costOfRows(node, definition, below.cost),
    };
  }

  /** What the value of a field costs, where what is selected of it costs `below`. */
  private costOfRows(
    node: FieldNode,
    definition: GraphQLField<unknown, unknown> | undefined,
    below: number,
  ): number {
    if (!definition) return below;
    const rows = this.values.rows(node, definition);
    if (rows === undefined) return below;
    const row = pageSizesOf(definition)?.rowCost ?? LIMITS.graphqlRowCost;
    return rows * (row + this.values.addedRows(node) * LIMITS.graphqlAddedRowCost + below);
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

/** @throws GraphQLError at the node, around an AppError INVALID_INPUT */
export function refuse(problem: string, node: ASTNode): never {
  const originalError = new AppError('INVALID_INPUT', problem);
  throw new GraphQLError(problem, { nodes: node, originalError });
}
