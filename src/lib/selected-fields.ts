import { GraphQLIncludeDirective, GraphQLSkipDirective, Kind, getDirectiveValues } from 'graphql';
import type { GraphQLResolveInfo, SelectionNode, SelectionSetNode } from 'graphql';

/**
 * Whether a query selects any of these fields below a field, directly or through fragments; skipped ones do
 * not count.
 */
export function asksFor(
  { fieldNodes, fragments, variableValues }: GraphQLResolveInfo,
  names: readonly string[],
): boolean {
  const isSkipped = (selection: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.['if'] === false;
  const isAsked = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (isSkipped(selection)) return false;
      if (selection.kind === Kind.FIELD) return names.includes(selection.name.value);
      return isAsked(
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments[selection.name.value]?.selectionSet,
      );
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isAsked(selectionSet));
}
