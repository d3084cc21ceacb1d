import { Kind } from 'graphql';
import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/** Whether a query asks a field for one of these fields, itself or by a fragment. */
export function asksFor({ fieldNodes, fragments }: GraphQLResolveInfo, names: readonly string[]): boolean {
  const isAsked = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return names.includes(selection.name.value);
      return isAsked(
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments[selection.name.value]?.selectionSet,
      );
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isAsked(selectionSet));
}
