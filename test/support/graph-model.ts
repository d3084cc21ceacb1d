/** An item as the naive model of a graph knows it. */
export interface ModelItem {
  readonly id: string;
  readonly provider: string;
  readonly externalId: string | null;
  readonly threadId: string | null;
  readonly parentId: string | null;
  readonly linkedIds: readonly string[];
  readonly declared: readonly { readonly predicate: string; readonly id: string }[];
  readonly acl: readonly string[];
  /** When it was written; no two items share it. */
  readonly at: number;
  /** Later when it was sent later. */
  readonly sent: number;
  /** What its graph says. */
  readonly says: string | null;
  /** The names of companies in its graph, which differ by their legal form alone. */
  readonly companies: readonly string[];
  /** Pairs of people who meet, each the letters of two. */
  readonly meetings: readonly string[];
}

/** A company as readers see it. */
interface ModelCompany {
  readonly names: readonly string[];
  /** The ids of the items that name it. */
  readonly items: readonly string[];
}

interface ModelEdge {
  readonly from: ModelItem;
  readonly to: ModelItem;
  readonly predicate: string;
}

/** A member of a subgraph as the model finds it. */
export interface ModelMember {
  readonly id: string;
  readonly depth: number;
  readonly via: string | undefined;
  readonly relation: string | undefined;
}

/** What readers see of some items: walked through in full, with no index and no bound. */
export class GraphModel {
  private readonly items: readonly ModelItem[];
  private readonly edges: readonly ModelEdge[];

  /** `principals`: null sees everything that anybody may see. */
  constructor(all: Iterable<ModelItem>, principals: readonly string[] | null) {
    this.items = [...all].filter(({ acl }) =>
      principals === null ? acl.length > 0 : acl.some((each) => principals.includes(each)),
    );
    this.edges = this.items.flatMap((from) =>
      this.linksOf(from).flatMap(({ predicate, targets }) =>
        targets.filter((to) => to !== from).map((to) => ({ from, to, predicate })),
      ),
    );
  }

  find(id: string): ModelItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  subgraph(id: string, depthMax: number, most: number): { members: ModelMember[]; isTruncated: boolean } {
    const seed = this.find(id);
    if (!seed) return { members: [], isTruncated: false };
    const members: (ModelMember & { item: ModelItem })[] = [
      { id, item: seed, depth: 0, via: undefined, relation: undefined },
    ];
    let level = [seed];
    for (let depth = 1; depth <= depthMax; depth += 1) {
      const reached = level.flatMap((from, nth) =>
        this.items
          .filter((to) => members.every(({ item }) => item !== to))
          .flatMap((to) => this.waysBetween(from, to).map((at) => ({ from, to, nth, at }))),
      );
      reached.sort((a, b) => a.nth - b.nth || a.at - b.at || a.to.sent - b.to.sent);
      const next: ModelItem[] = [];
      for (const { from, to } of reached) {
        if (next.includes(to)) continue;
        if (members.length === most) return { members, isTruncated: true };
        next.push(to);
        members.push({ id: to.id, item: to, depth, via: from.id, relation: this.relation(to, from) });
      }
      level = next;
    }
    return { members, isTruncated: false };
  }

  /** Recorded structure around an item, as `source predicate target`. */
  auxiliary(item: ModelItem): string[] {
    const own = this.linksOf(item).flatMap(({ predicate, names, targets }) => {
      const ends = targets.length > 0 ? targets.slice(0, 1).map(({ id }) => id) : [names];
      return ends.filter((end) => end !== item.id).flatMap((end) => bothSides(item.id, predicate, end));
    });
    const incoming = this.edges
      .filter(({ to }) => to === item)
      .flatMap(({ from, predicate }) => bothSides(from.id, predicate, item.id));
    const [earliest] = this.items.filter((other) => sameThread(item, other)).sort((a, b) => a.at - b.at);
    const thread = earliest && earliest.at < item.at ? [`${item.id} same_thread ${earliest.id}`] : [];
    return [...new Set([...own, ...incoming, ...thread])].sort();
  }

  /** What the graphs of items say, newest first. */
  said(): string[] {
    return [...this.items].sort((a, b) => b.at - a.at).flatMap(({ says }) => says ?? []);
  }

  /** Names are one company where one legal form alone tells them apart, unless an item holds two of them. */
  companies(): ModelCompany[] {
    const names = [...new Set(this.items.flatMap(({ companies }) => companies))];
    const naming = (some: readonly string[]) =>
      this.items.filter(({ companies }) => companies.some((name) => some.includes(name)));
    const areOne = (some: readonly string[]) =>
      naming(some).every(({ companies }) => companies.filter((name) => some.includes(name)).length === 1);
    const formOf = (name: string) => name.replace(/^\S+ \S+ ?/, '').replaceAll('.', '');
    const forms = [...new Set(names.map(formOf))].map((form) =>
      names.filter((name) => formOf(name) === form),
    );
    const few = forms.length <= 2 && forms.some(([name = '']) => formOf(name) === '');
    const joined =
      few && areOne(names)
        ? [names]
        : forms.flatMap((form) => (areOne(form) ? [form] : form.map((name) => [name])));
    return joined
      .filter((some) => some.length > 0)
      .map((some) => ({
        names: [...some].sort(),
        items: naming(some)
          .map(({ id }) => id)
          .sort(),
      }));
  }

  /** The shortest ways from one person to another, by trying all: the letters of those who meet. */
  shortestWays(from: string, to: string, lengthMax: number): string[] {
    const met = this.items.flatMap(({ meetings }) => meetings);
    const meet = (a = '', b: string) => met.includes(a + b) || met.includes(b + a);
    const people = [...new Set(met.join(''))];
    let ways = from === to ? [] : [from];
    for (let length = 1; length <= lengthMax; length += 1) {
      ways = ways.flatMap((way) =>
        people.filter((next) => !way.includes(next) && meet(way.at(-1), next)).map((next) => way + next),
      );
      const arrived = ways.filter((way) => way.endsWith(to));
      if (arrived.length > 0) return arrived.sort();
    }
    return [];
  }

  private waysBetween(from: ModelItem, to: ModelItem): number[] {
    return [
      ...this.edges.filter((edge) => edge.from === from && edge.to === to).map(() => from.at),
      ...this.edges.filter((edge) => edge.from === to && edge.to === from).map(() => to.at),
      ...(sameThread(from, to) ? [to.at] : []),
    ];
  }

  private relation(found: ModelItem, from: ModelItem): string {
    const said = this.edges.filter((edge) => edge.from === found && edge.to === from).map((e) => e.predicate);
    const heard = this.edges
      .filter((edge) => edge.from === from && edge.to === found)
      .map((e) => e.predicate);
    if (said.includes('child_of')) return 'child';
    if (heard.includes('child_of')) return 'parent';
    return said.sort()[0] ?? heard.sort()[0] ?? 'same_thread';
  }

  private linksOf(item: ModelItem): { predicate: string; names: string; targets: ModelItem[] }[] {
    const { provider } = item;
    const external = (externalId: string) =>
      this.items.filter(
        (other) => other.provider === provider && (other.externalId ?? other.id) === externalId,
      );
    const outside = (predicate: string, externalId: string) => ({
      predicate,
      names: `${provider}:${externalId}`,
      targets: external(externalId),
    });
    const links = [
      ...(item.parentId === null ? [] : [outside('child_of', item.parentId)]),
      ...item.linkedIds.map((id) => outside('linked_to', id)),
      ...item.declared.map(({ predicate, id }) => ({
        predicate,
        names: id,
        targets: this.items.filter((other) => other.id === id),
      })),
    ];
    return links;
  }
}

function bothSides(from: string, predicate: string, to: string): string[] {
  const own = `${from} ${predicate} ${to}`;
  return predicate === 'child_of' ? [own, `${to} parent_of ${from}`] : [own];
}

function sameThread(a: ModelItem, b: ModelItem): boolean {
  return a.threadId !== null && a.threadId === b.threadId && a.provider === b.provider;
}
