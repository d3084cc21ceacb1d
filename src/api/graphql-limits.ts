import { Kind } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LIMITS } from '../limits.js';
import { Scale, refuse } from './operation-weight.js';
import type { AskedOperation, Weight } from './operation-weight.js';

/** What an operation asks for. */
export interface WeighedOperation {
  readonly cost: number;
  /** Counted through fragments. */
  readonly rootFields: number;
}

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
  checkCost(weighed.cost, asked.operation);
  return weighed;
}

function checkCost(cost: number, operation: OperationDefinitionNode): void {
  const { graphqlCostMax, graphqlRowCost: row, graphqlRelationGroupCost: group } = LIMITS;
  if (cost <= graphqlCostMax) return;
  const rule = `a field costs 1, a row of a list ${row} (of relations ${group}) and what is selected of it`;
  refuse(`operation must cost at most ${graphqlCostMax}, not ${cost}: ${rule}`, operation);
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
