import { Kind } from 'graphql';
import type { DirectiveNode, FieldNode, SelectionSetNode } from 'graphql';

/** A response key, as a path below the root, that is left out for some values. */
export interface Omission {
  readonly path: readonly string[];
  readonly when: (value: unknown) => boolean;
}

/** A response key, as a path below the root, that is left out unless a list parameter names it. */
export interface Choice {
  readonly path: readonly string[];
  readonly parameter: string;
  readonly name: string;
  /** Whether it is included when the parameter is absent. */
  readonly byDefault: boolean;
}

/** The directive for keys that callers choose. */
export const choosingDirective = 'onlyIf';

/** Directives that leave a key out, with the values for which they do. */
export const omittingDirectives: ReadonlyMap<string, Omission['when']> = new Map([
  ['omitNull', (value) => value === null],
  ['omitFalse', (value) => value === false],
  ['omitEmpty', (value) => Array.isArray(value) && value.length === 0],
]);

/** The key of an answer that a selected field becomes. */
export function answerKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Whether the value of a selected field goes into meta. */
export function isInMeta({ directives }: FieldNode): boolean {
  return directives?.some(({ name }) => name.value === 'inMeta') ?? false;
}

/** The key of its entries by which a selected list is answered as an object, if it is. */
export function keyOf({ directives }: FieldNode): string | undefined {
  const keyed = directives?.find(({ name }) => name.value === 'keyedBy');
  const by = keyed?.arguments?.[0]?.value;
  return by?.kind === Kind.STRING ? by.value : undefined;
}

/** Collects what `read` finds in the directives of a selection, each with its path below the root. */
export function findMarked<Mark>(
  selectionSet: SelectionSetNode | undefined,
  read: (directive: DirectiveNode, path: readonly string[]) => Mark[],
  path: readonly string[] = [],
): Mark[] {
  return (selectionSet?.selections ?? []).flatMap((selection) => {
    if (selection.kind !== Kind.FIELD) return [];
    const here = [...path, answerKey(selection)];
    const own = (selection.directives ?? []).flatMap((directive) => read(directive, here));
    return [...own, ...findMarked(selection.selectionSet, read, here)];
  });
}

/** The omission that a directive asks for, if it does. */
export function omissionsOf({ name }: DirectiveNode, path: readonly string[]): Omission[] {
  const when = omittingDirectives.get(name.value);
  return when === undefined ? [] : [{ path, when }];
}

/** The choice that a directive gives to callers, if it does. @throws Error when it lacks an argument */
export function choicesOf({ name, arguments: given }: DirectiveNode, path: readonly string[]): Choice[] {
  if (name.value !== choosingDirective) return [];
  const value = (argument: string) => given?.find((each) => each.name.value === argument)?.value;
  const [named, list, byDefault] = [value('named'), value('in'), value('byDefault')];
  if (named?.kind !== Kind.ENUM || list?.kind !== Kind.VARIABLE)
    throw new Error(`@onlyIf of ${path.join('.')} must name a value and a variable`);
  const absent = byDefault?.kind === Kind.BOOLEAN ? byDefault.value : true;
  return [{ path, name: named.value, parameter: list.name.value, byDefault: absent }];
}
