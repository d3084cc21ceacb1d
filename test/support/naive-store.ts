// What a store must answer, computed in memory in the simplest possible way: the model that a server is
// compared with.

export type ModelCorpus = 'knowledge' | 'memory';
type Json = Readonly<Record<string, unknown>>;

/** Where an item is. */
export interface Place {
  readonly collection: string;
  readonly corpus: ModelCorpus;
}

/** An item as it is sent. Its word occurs in no other text; an item without a word is blank. */
export interface SentItem {
  readonly id: string;
  readonly word: string | null;
  readonly metadata: Json;
  readonly additional: Json;
  /** Undefined: not sent. */
  readonly acl: readonly string[] | null | undefined;
  readonly expirySeconds: number | undefined;
}

export interface ModelEdit {
  readonly metadata: Json | undefined;
  readonly additional: Json | undefined;
  readonly acl: readonly string[] | null | undefined;
}

/**
 * Which items a list or a search is about; values of `additional` and `metadata` must equal one of those
 * given.
 */
export interface ModelFilter {
  /** The principals that the caller answers as; undefined: not scoped. */
  readonly readers: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, readonly unknown[]>>;
  readonly additional: Readonly<Record<string, readonly unknown[]>>;
}

/** An item as a list shows it. */
export interface ListedRow {
  readonly id: string;
  readonly metadata: Json;
  readonly additional: Json;
  readonly acl: readonly string[] | null;
  readonly status: string;
}

interface Version {
  readonly word: string | null;
  metadata: Json;
  additional: Json;
  acl: readonly string[] | null;
  expiresAt: number;
  readonly createdAt: number;
  status: 'queued' | 'completed' | 'errored';
}

interface Item extends Place {
  readonly id: string;
  latest: Version;
  /** What readers see. */
  visible: Version | undefined;
}

/** A store of items without indexes, queues, or any thought of speed. */
export class NaiveStore {
  private readonly items = new Map<string, Item>();
  private seconds = 0;
  private requests = 0;

  /** Lets time pass. */
  advance(seconds: number): void {
    this.seconds += seconds;
    for (const [key, { latest }] of this.items) if (latest.expiresAt <= this.seconds) this.items.delete(key);
    for (const item of this.items.values())
      if (item.visible && item.visible.expiresAt <= this.seconds) item.visible = undefined;
  }

  /** Indexes everything that waits. */
  index(): void {
    for (const item of this.items.values()) {
      if (item.latest.status !== 'queued') continue;
      item.latest.status = item.latest.word === null ? 'errored' : 'completed';
      if (item.latest.word !== null) item.visible = item.latest;
    }
  }

  /** Stores items; returns the outcome of each, in order. */
  ingest(place: Place, sent: readonly SentItem[], upsert: boolean): [string, string][] {
    this.requests += 1;
    const results = sent.map(({ id }): [string, string] => {
      const refused = !upsert && this.items.has(keyOf(place, id));
      return [id, refused ? 'E9003' : 'queued'];
    });
    const accepted = sent.filter((_, index) => results[index]?.[1] === 'queued');
    for (const item of accepted.toSorted((a, b) => (a.id < b.id ? -1 : 1))) this.store(place, item);
    return results;
  }

  private store(place: Place, { id, word, metadata, additional, acl, expirySeconds }: SentItem): void {
    const before = this.items.get(keyOf(place, id));
    const latest: Version = {
      word,
      metadata,
      additional,
      acl: acl === undefined ? (before?.latest.acl ?? null) : principals(acl),
      expiresAt: this.seconds + (expirySeconds ?? Infinity),
      createdAt: before?.latest.createdAt ?? this.requests,
      status: 'queued',
    };
    const visible = before?.visible;
    // An item ends when its latest version does.
    if (visible) visible.expiresAt = Math.min(visible.expiresAt, latest.expiresAt);
    this.items.set(keyOf(place, id), { ...place, id, latest, visible });
  }

  /** The HTTP status, and which of the ids were deleted. */
  delete(place: Place, ids: readonly string[]): { status: number; deleted: string[] } {
    const known = ids.filter((id) => this.items.has(keyOf(place, id)));
    const isProcessing = (id: string) => {
      const item = this.items.get(keyOf(place, id));
      return item?.latest.status === 'queued' && !item.visible;
    };
    if (known.some(isProcessing)) return { status: 409, deleted: [] };
    for (const id of known) this.items.delete(keyOf(place, id));
    return { status: known.length > 0 ? 200 : 404, deleted: known };
  }

  /** Edits an item; returns its corpus, undefined when it does not exist. */
  edit(places: readonly Place[], id: string, edit: ModelEdit): ModelCorpus | undefined {
    const item = places.flatMap((place) => this.items.get(keyOf(place, id)) ?? [])[0];
    if (!item) return undefined;
    for (const version of new Set([item.latest, item.visible])) {
      if (!version) continue;
      version.metadata = { ...version.metadata, ...edit.metadata };
      version.additional = { ...version.additional, ...edit.additional };
      if (edit.acl !== undefined) version.acl = principals(edit.acl);
    }
    return item.corpus;
  }

  /** The items that the caller may know of, newest first. */
  list(place: Place, filter: ModelFilter): ListedRow[] {
    const found = this.at(place).filter((item) => {
      const shown = shownOf(item);
      return (filter.readers === undefined || mayRead(shown.acl, filter.readers)) && matches(shown, filter);
    });
    found.sort((a, b) => b.latest.createdAt - a.latest.createdAt || (a.id < b.id ? 1 : -1));
    return found.map((item) => {
      const { metadata, additional, acl } = shownOf(item);
      return { id: item.id, metadata, additional, acl, status: item.latest.status };
    });
  }

  /**
   * What a search for a word that is in every text must find: id and word of all searchable items that the
   * caller may read.
   */
  search(places: readonly Place[], filter: ModelFilter): string[] {
    return places
      .flatMap((place) => this.at(place))
      .flatMap(({ collection, corpus, id, visible }) =>
        visible && mayRead(visible.acl, filter.readers) && matches(visible, filter)
          ? [`${collection}/${corpus}/${id} ${visible.word}`]
          : [],
      )
      .toSorted();
  }

  /** The words of an item's chunks and of its content; undefined when the caller may not know of it. */
  read(
    place: Place,
    id: string,
    readers: ModelFilter['readers'],
  ): { content: string | null; chunks: string[] } | undefined {
    const item = this.items.get(keyOf(place, id));
    if (!item || !mayRead(shownOf(item).acl, readers)) return undefined;
    const seen = item.visible?.word ?? null;
    // A memory is shown as it was sent; a file has no text before it has been read.
    return {
      content: place.corpus === 'memory' ? shownOf(item).word : seen,
      chunks: seen === null ? [] : [seen],
    };
  }

  /** The status of an item in the first of these places that has it. */
  status(places: readonly Place[], id: string): string | undefined {
    return places.flatMap((place) => this.items.get(keyOf(place, id))?.latest.status ?? [])[0];
  }

  /** The number of searchable chunks by corpus, and of items by status. */
  stats(): { knowledge: number; memory: number; items: Readonly<Record<Version['status'], number>> } {
    const all = [...this.items.values()];
    const searchable = (corpus: ModelCorpus) =>
      all.filter((item) => item.corpus === corpus && item.visible).length;
    const having = (status: Version['status']) => all.filter(({ latest }) => latest.status === status).length;
    return {
      knowledge: searchable('knowledge'),
      memory: searchable('memory'),
      items: { queued: having('queued'), completed: having('completed'), errored: having('errored') },
    };
  }

  deleteCollection(collection: string): void {
    for (const [key, item] of this.items) if (item.collection === collection) this.items.delete(key);
  }

  private at({ collection, corpus }: Place): Item[] {
    return [...this.items.values()].filter(
      (item) => item.collection === collection && item.corpus === corpus,
    );
  }
}

function keyOf({ collection, corpus }: Place, id: string): string {
  return `${collection}/${corpus}/${id}`;
}

function shownOf({ visible, latest }: Item): Version {
  return visible ?? latest;
}

function principals(acl: readonly string[] | null): readonly string[] {
  return (acl ?? []).map((principal) => principal.toLowerCase().replace(/^(?=[^:]*@)/, 'user_email:'));
}

function mayRead(acl: readonly string[] | null, readers: readonly string[] | undefined): boolean {
  if (acl === null) return true;
  if (readers === undefined) return acl.length > 0;
  if (readers.length === 0) return false;
  const domains = readers.flatMap((reader) =>
    reader.includes('@') ? [`domain:${reader.split('@')[1]}`] : [],
  );
  const answered = [...principals(readers), ...domains, 'public'];
  return acl.some((principal) => answered.includes(principal));
}

function matches(version: Version, { metadata, additional }: ModelFilter): boolean {
  const holds = (values: Json, wanted: Readonly<Record<string, readonly unknown[]>>) =>
    Object.entries(wanted).every(([key, anyOf]) => key in values && anyOf.includes(values[key]));
  return holds(version.metadata, metadata) && holds(version.additional, additional);
}
