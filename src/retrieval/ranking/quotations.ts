import type { DataSource } from 'typeorm';
import { analyze } from '../../text/analyzer.js';
import { quotedParagraphs } from '../../text/mail-history.js';
import { inEach } from '../collection-scopes.js';
import { findNeighbours } from '../context/related-chunks.queries.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { FoundChunk } from '../search-result.js';
import type { SearchScope } from '../search-scope.js';

/** A paragraph of a quotation. */
interface Passage {
  /** Its words, each between spaces, so that they match only whole words of another text. */
  readonly words: string;
  /** How many terms of the query it contains. */
  readonly asked: number;
}

/** A chunk that says itself what quotations may repeat. */
interface Sayer {
  readonly chunk: FoundChunk;
  readonly words: string;
}

interface ReadQuotation {
  /**
   * The chunk that says itself what the quotation says about the query; undefined when no chunk says all of
   * it.
   */
  readonly original: FoundChunk | undefined;
  /** The quotation was found for the paragraph that its mail answers, not for earlier ones. */
  readonly isAnswered: boolean;
}

/** The text that a mail adds itself, by the chunk id of the quotation beside it. */
export type Replies = ReadonlyMap<string, ChunkRow>;

/** Whether a chunk quotes earlier mails. */
export function isQuoted({ row }: Pick<FoundChunk, 'row'>): boolean {
  return row.layout['quoted'] === true;
}

/** Reads, for the quotations found, the text that their mails add themselves. */
export async function findReplies(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  found: readonly FoundChunk[],
): Promise<Replies> {
  const rows = await inEach(scopes, (scope) => {
    const quotations = found.filter((each) => isQuoted(each) && each.row.corpus === scope.store.corpus);
    return findNeighbours(postgres, scope, { chunkIds: quotations.map(({ hit }) => hit.id), perHit: 1 });
  });
  const replies = rows.filter((row) => !isQuoted({ row }));
  return new Map(replies.flatMap((row) => row.hitIds.map((id) => [id, row])));
}

/**
 * Sets apart the quotations whose passages about the query another chunk says itself, or an earlier quotation
 * repeats. The first chunk to say something takes the place of the first quotation that repeats it. Behind a
 * quotation comes the reply of its mail, if it was found for what that mail answers. Chunks are given and
 * returned best first; of those that are no repetitions, about `enough` are returned.
 */
export function partRepeated(
  found: readonly FoundChunk[],
  { query, replies, enough }: { query: string; replies: Replies; enough: number },
): { said: readonly FoundChunk[]; repeated: readonly FoundChunk[] } {
  if (!found.some(isQuoted)) return { said: found, repeated: [] };
  const said: FoundChunk[] = [];
  const repeated: FoundChunk[] = [];
  const reader = new QuotationReader(found, query);
  const hits = new Map(found.map(({ hit }) => [hit.id, hit]));
  const placed = new Set<string>();
  const place = (chunk: FoundChunk, score = chunk.hit.score) => {
    if (placed.has(chunk.hit.id)) return;
    placed.add(chunk.hit.id);
    said.push({ ...chunk, hit: { ...chunk.hit, score: Math.max(chunk.hit.score, score) } });
  };
  for (const chunk of found) {
    if (said.length >= enough) break;
    if (!isQuoted(chunk)) {
      place(chunk);
      continue;
    }
    const { score } = chunk.hit;
    const { original, isAnswered } = reader.read(chunk);
    if (original) repeated.push(chunk);
    place(original ?? chunk, score);
    const reply = isAnswered ? replies.get(chunk.hit.id) : undefined;
    if (reply) {
      const hit = hits.get(reply.chunkId) ?? { id: reply.chunkId, score, ranks: {} };
      place({ ...chunk, row: reply, hit }, score);
    }
  }
  return { said, repeated };
}

/** Reads quotations, the best one first. A passage that many mails repeat is read once. */
class QuotationReader {
  private readonly sayers: Sayer[];
  private readonly terms: ReadonlySet<string>;
  private readonly passages = new Map<string, Passage>();
  private readonly sayersOf = new Map<Passage, Sayer>();

  constructor(found: readonly FoundChunk[], query: string) {
    this.sayers = found.flatMap((chunk) =>
      isQuoted(chunk) ? [] : [{ chunk, words: wordsOf(chunk.row.content) }],
    );
    this.terms = new Set(analyze(query));
  }

  read(chunk: FoundChunk): ReadQuotation {
    const paragraphs = quotedParagraphs(chunk.row.content);
    const passages = paragraphs.flatMap(({ text, isAnswered }) => {
      const passage = this.passageOf(text);
      return passage ? [{ passage, isAnswered }] : [];
    });
    const asked = passages.filter(({ passage }) => passage.asked > 0);
    const decisive = asked.length > 0 ? asked : passages;
    const [most] = decisive.toSorted(
      ({ passage: a }, { passage: b }) => b.asked - a.asked || b.words.length - a.words.length,
    );
    const isSaid = decisive.every(({ passage }) => this.sayerOf(passage) !== undefined);
    const original = most && isSaid ? this.sayerOf(most.passage)?.chunk : undefined;
    if (!original) this.sayers.push({ chunk, words: wordsOf(paragraphs.map(({ text }) => text).join('\n')) });
    return { original, isAnswered: most?.isAnswered === true };
  }

  private passageOf(text: string): Passage | undefined {
    const words = wordsOf(text);
    if (words.trim() === '') return undefined;
    let passage = this.passages.get(words);
    if (!passage) {
      const asked = new Set(analyze(text).filter((term) => this.terms.has(term))).size;
      this.passages.set(words, (passage = { words, asked }));
    }
    return passage;
  }

  private sayerOf(passage: Passage): Sayer | undefined {
    const known = this.sayersOf.get(passage);
    if (known) return known;
    const sayer = this.sayers.find(({ words }) => words.includes(passage.words));
    if (sayer) this.sayersOf.set(passage, sayer);
    return sayer;
  }
}

/** The words of a text in lower case, each between spaces, without punctuation and line breaks. */
function wordsOf(text: string): string {
  return ` ${text.toLowerCase()} `.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}
