import { valueFromASTUntyped } from 'graphql';
import type { FieldNode, GraphQLField, OperationDefinitionNode } from 'graphql';
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

/** The numbers of a paging field that has its own. */
export function pageSizesOf({ extensions }: GraphQLField<unknown, unknown>): PageSizes | undefined {
  return extensions['pageSizes'] as PageSizes | undefined;
}

/** The values of arguments in an operation that has not been validated: they may be of any type. */
export class ArgumentValues {
  private readonly variables: Record<string, unknown>;
  /** Of objects. Many fields may be given the same large variable. */
  private readonly lengths = new WeakMap<object, number>();

  constructor(operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>) {
    this.variables = withDefaults(operation, variables);
  }

  /** How many rows a paging field may return; undefined for a field that does not page. */
  rows(node: FieldNode, field: GraphQLField<unknown, unknown>): number | undefined {
    const ofField = pageSizesOf(field);
    const given: number[] = [];
    const absent: number[] = [];
    for (const { name, defaultValue } of field.args) {
      const known = PAGING_ARGUMENTS[name];
      if (!known) continue;
      const paging = ofField ?? known;
      const value = this.value(node, name);
      // A number outside the range is refused by the field's service, which names the range.
      if (typeof value === 'number') given.push(Math.min(Math.max(value, 1), paging.max));
      absent.push(typeof defaultValue === 'number' ? defaultValue : paging.default);
    }
    if (absent.length === 0) return undefined;
    return Math.max(...(given.length > 0 ? given : absent));
  }

  /** How many neighbouring chunks each row of a field may bring along. */
  addedRows(node: FieldNode): number {
    const value = this.value(node, addingArgument.name);
    return typeof value === 'number' ? Math.min(Math.max(value, 0), addingArgument.max) : 0;
  }

  /** How many values stand in the lists of a field's arguments. */
  listedValues(node: FieldNode): number {
    return (node.arguments ?? [])
      .map((argument) => this.length(valueFromASTUntyped(argument.value, this.variables)))
      .reduce((sum, length) => sum + length, 0);
  }

  private value(node: FieldNode, name: string): unknown {
    const argument = node.arguments?.find((candidate) => candidate.name.value === name);
    return argument ? valueFromASTUntyped(argument.value, this.variables) : undefined;
  }

  /** The length of a list; for an object, the lengths of its lists and one for each other value. */
  private length(value: unknown): number {
    if (Array.isArray(value)) return value.length;
    if (typeof value !== 'object' || value === null) return 0;
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

function withDefaults(
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (Object.hasOwn(variables, name)) values[name] = variables[name];
    else if (defaultValue) values[name] = valueFromASTUntyped(defaultValue);
  }
  return values;
}
