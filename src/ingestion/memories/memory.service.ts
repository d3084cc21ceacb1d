import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import type { Clock } from '../../lib/clock.js';
import { findFacts } from '../../sources/facts.queries.js';
import type { StoredFact } from '../../sources/facts.queries.js';
import type {
  ListedItem,
  ListedSources,
  SourceListService,
  WantedItem,
} from '../../sources/lists/source-list.service.js';
import type { ItemListArgs } from '../../sources/lists/source-list.types.js';
import { SourceType } from '../../sources/source.types.js';
import { writtenMemory } from '../preparation/memory-text.js';
import type { FactKind, InferredFact, Memory, MemoryConnection } from './memory.types.js';

interface MemoryOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly sourceList: SourceListService;
}

/**
 * Reads memories: what lists show of any item, and also what was remembered and which facts were extracted.
 */
export class MemoryService {
  constructor(private readonly options: MemoryOptions) {}

  /**
   * The visible version of a memory, or the one that waits to become visible; null when none exists that the
   * caller may know of.
   */
  async find(caller: Caller, wanted: WantedItem): Promise<Memory | null> {
    const found = await this.options.sourceList.find(caller, wanted, 'memory');
    if (!found) return null;
    const [memory] = await this.toMemories(found.databaseId, [found]);
    return memory ?? null;
  }

  /** A page of memories, newest first; their total is counted only if `counted`. */
  async list(
    caller: Caller,
    args: ItemListArgs,
    { counted }: { counted: boolean },
  ): Promise<MemoryConnection> {
    const ofMemories = { ...args, type: SourceType.memory };
    const page = await this.options.sourceList.list(caller, ofMemories, { counted });
    return { ...page, nodes: await this.ofList(page) };
  }

  /** The memories of a list of items. */
  ofList({ databaseId, rows }: Pick<ListedSources, 'databaseId' | 'rows'>): Promise<Memory[]> {
    return this.toMemories(databaseId, rows);
  }

  private async toMemories(databaseId: number, rows: readonly ListedItem[]): Promise<Memory[]> {
    const { postgres, clock } = this.options;
    const uids = rows.filter(({ item }) => item.infer && item.visible).map(({ item }) => item.uid);
    const found =
      uids.length > 0 ? await findFacts(postgres.manager, { databaseId, uids, now: clock.now() }) : [];
    const factsOf = new Map<string, StoredFact[]>(uids.map((uid) => [uid, []]));
    for (const fact of found) factsOf.get(fact.sourceUid)?.push(fact);
    return rows.flatMap(({ item, source }): Memory[] => {
      const { memory, infer, visible } = item;
      if (!memory) return [];
      const facts = factsOf.get(item.uid) ?? [];
      return [
        {
          ...source,
          text: memory.text,
          userAssistantPairs: memory.userAssistantPairs ?? [],
          content: writtenMemory(memory),
          userName: memory.userName,
          observationDate: memory.observationDate,
          infer,
          inferredContent: infer && visible ? inferredContent(facts) : null,
          facts: facts.map(toInferredFact),
          expiresAt: item.expiresAt,
        },
      ];
    });
  }
}

/** The statements of facts, one per line. */
export function inferredContent(facts: readonly StoredFact[]): string {
  return facts
    .map(({ statement, supersededBy }) => (supersededBy ? `${statement} (superseded)` : statement))
    .join('\n');
}

function toInferredFact({ sourceUid: _, kind, ...fact }: StoredFact): InferredFact {
  return { ...fact, kind: kind as FactKind, current: !fact.supersededBy && !fact.repeatedBy };
}
