import type { EntityLabel, RelationOrigin } from '../item-graph.js';

/** Types that one entity may have in different items, since few texts tell a company from what it makes. */
const interchangeable = new Set(['ORGANIZATION', 'PRODUCT', 'OTHER']);

interface Ends {
  readonly sourceEntity: string;
  readonly targetEntity: string;
  readonly source: EntityLabel;
  readonly target: EntityLabel;
  readonly relations: readonly { readonly origin: RelationOrigin }[];
}

/**
 * Gives each entity of extracted groups the type that most groups give it; OTHER is never counted.
 * Supplied groups stay unchanged.
 */
export function withSettledTypes<Group extends Ends>(
  groups: readonly Group[],
  among: readonly Ends[],
): Group[] {
  const types = settledTypes(among);
  if (types.size === 0) return [...groups];
  const settle = (label: EntityLabel, id: string) => {
    const type = types.get(id);
    return type !== undefined && interchangeable.has(label.type) ? { ...label, type } : label;
  };
  return groups.map((group) =>
    isExtracted(group)
      ? {
          ...group,
          source: settle(group.source, group.sourceEntity),
          target: settle(group.target, group.targetEntity),
        }
      : group,
  );
}

const isExtracted = ({ relations }: Ends) => relations[0]?.origin === 'extracted';

/** For each entity with several types, the one that most groups give; the first of equals. */
function settledTypes(groups: readonly Ends[]): ReadonlyMap<string, string> {
  const told = new Map<string, Map<string, number>>();
  const count = ({ type }: EntityLabel, id: string) => {
    if (!interchangeable.has(type)) return;
    const counts = told.get(id) ?? new Map<string, number>();
    told.set(id, counts.set(type, (counts.get(type) ?? 0) + (type === 'OTHER' ? 0 : 1)));
  };
  for (const group of groups.filter(isExtracted)) {
    count(group.source, group.sourceEntity);
    count(group.target, group.targetEntity);
  }
  const several = [...told].filter(([, counts]) => counts.size > 1);
  return new Map(several.map(([id, counts]) => [id, [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]]));
}
