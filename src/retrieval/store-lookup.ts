import type { DataSource } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import type { SearchScope } from './lanes.queries.js';
import { currentTrace } from './search-trace.js';
import { lookUp } from './store-lookup.queries.js';
import type { LookUp, NameProbe, ProbedNames, StoreTerms } from './store-lookup.queries.js';

type Answer = ReturnType<typeof lookUp>;

/** A statement that more may still be asked with. */
interface Waiting {
  wanted: LookUp;
  readonly answer: Answer;
}

/** What one look of a search asks of its stores before anything else. What lanes ask in one go is one statement a store. */
export class StoreLookup {
  private readonly asked = new Map<string, Promise<StoreTerms>>();
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly postgres: DataSource) {}

  /** How often terms occur in a store. */
  terms(store: Store, terms: readonly number[]): Promise<StoreTerms> {
    const found = this.ask(store, { terms }).then((answer) => answer.terms);
    this.asked.set(partition('chunks', store), found);
    return found;
  }

  /** Which names and words of a query a store knows. */
  async names(scope: SearchScope, probed: ProbedNames): Promise<NameProbe[]> {
    return (await this.ask(scope.store, { names: { scope, probed } })).probes;
  }

  /** The last chunk of a store: comes with what has been looked up there, if anything has. */
  async newest(store: Store): Promise<number> {
    const { newest } = await (this.asked.get(partition('chunks', store)) ?? this.terms(store, []));
    return newest;
  }

  private ask(store: Store, wanted: LookUp): Answer {
    // Whoever has a search explained wants to know what each lane costs.
    if (currentTrace()) return lookUp(this.postgres, store, wanted);
    const name = partition('chunks', store);
    const other = this.waiting.get(name);
    if (other && areApart(other.wanted, wanted)) {
      other.wanted = { ...other.wanted, ...wanted };
      return other.answer;
    }
    const own: Waiting = {
      wanted,
      // When all lanes have begun.
      answer: Promise.resolve().then(() => {
        if (this.waiting.get(name) === own) this.waiting.delete(name);
        return lookUp(this.postgres, store, own.wanted);
      }),
    };
    this.waiting.set(name, own);
    return own.answer;
  }
}

function areApart(one: LookUp, other: LookUp): boolean {
  return !(one.terms && other.terms) && !(one.names && other.names);
}
