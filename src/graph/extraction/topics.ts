import { keyOf } from './entities.js';
import type { Entity } from './entities.js';
import type { Ref } from './phrases.js';
import type { ReadSentence } from './read-chunk.js';
import type { Token } from './reader.js';

/**
 * A text is about an organization that this many sentences are about; a single
 * one may mention it in passing.
 */
const sentencesMin = 2;

/** Weighs which organization a text is about: one that its title names and its sentences begin with. */
export class Topics {
  private readonly sentences = new Map<Entity, number>();
  private readonly title: string;
  private speaksOfOthers = false;

  constructor(title: string) {
    this.title = ` ${keyOf(title).replace(/[^\p{L}\p{N}&.'’-]+/gu, ' ')} `;
  }

  read({ tokens, beginsParagraph = false }: ReadSentence, refs: readonly Ref[]): void {
    this.speaksOfOthers ||= tokens.some((_, at) => isOtherAt(tokens, at));
    const verb = tokens.findIndex(({ pos }) => /^(?:VERB|AUX)$/.test(pos));
    const subject = refs.find(
      ({ start, end, entity }) =>
        mayBeOrganization(entity) && end <= verb && tokens[start - 1]?.pos !== 'ADP',
    );
    if (!subject) return;
    const before = this.sentences.get(subject.entity) ?? 0;
    // In a list of companies each paragraph is about another one.
    if (beginsParagraph && !subject.indirect) this.sentences.clear();
    this.sentences.set(subject.entity, before + 1);
  }

  /** Whether an entity is the only organization that sentences so far are about, named or not: not beside "a rival". */
  isAbout(entity: Entity): boolean {
    return !this.speaksOfOthers && this.sentences.has(entity);
  }

  /**
   * What "the company" means if `near` was named last: `near`, or another organization that the text is
   * about. Undefined if that is not clear.
   */
  choose(near: Entity, named: Iterable<Entity>): Entity | undefined {
    const others = [...named].filter((entity) => entity.type === 'ORGANIZATION' && entity !== near);
    const most = Math.max(0, ...others.map((entity) => this.weightOf(entity)));
    const own = this.weightOf(near);
    if (most === 0 || own > most) return near;
    const [leader, ...rivals] = others.filter((entity) => this.weightOf(entity) === most);
    return own < most && most >= sentencesMin && rivals.length === 0 ? leader : undefined;
  }

  private weightOf(entity: Entity): number {
    const isInTitle = [...entity.names.keys()].some((key) => this.title.includes(` ${key} `));
    return (this.sentences.get(entity) ?? 0) + (isInTitle ? 1 : 0);
  }
}

const firm =
  /^(?:bank|charity|client|company|competitor|customer|firm|rival|retailer|start-?up|subsidiary|supplier|vendor)s?$/;
const determiners = new Set('a an another my our two three'.split(' '));
const describedTokensMax = 3;

/** "bought a small rival", "our company": an organization without a name. "Acme, a bank" and "Acme is a bank" have one. */
function isOtherAt(tokens: readonly Token[], at: number): boolean {
  if (!determiners.has(tokens[at]?.lower ?? '')) return false;
  if (/^(?:,|is|was|as)$/.test(tokens[at - 1]?.lower ?? '')) return false;
  const behind = tokens.slice(at + 1, at + 1 + describedTokensMax);
  const noun = behind.findIndex(({ lower }) => firm.test(lower));
  return noun >= 0 && behind.slice(0, noun).every(({ pos }) => !/^(?:ADP|AUX|CCONJ|PUNCT|VERB)$/.test(pos));
}

/** Whether an entity may be an organization; its type may only become known later, from the same sentence. */
function mayBeOrganization({ type, lazy }: Entity): boolean {
  return type === 'ORGANIZATION' || (type === 'OTHER' && !lazy);
}
