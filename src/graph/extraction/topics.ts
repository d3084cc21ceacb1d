import { keyOf } from './entities.js';
import type { Entity } from './entities.js';
import type { Ref } from './phrases.js';
import type { ReadSentence } from './read-chunk.js';

/**
 * A text is about an organization that this many sentences are about; a single
 * one may mention it in passing.
 */
const sentencesMin = 2;

/** Weighs which organization a text is about: one that its title names and its sentences begin with. */
export class Topics {
  private readonly sentences = new Map<Entity, number>();
  private readonly title: string;

  constructor(title: string) {
    this.title = ` ${keyOf(title).replace(/[^\p{L}\p{N}&.'’-]+/gu, ' ')} `;
  }

  read({ tokens, beginsParagraph = false }: ReadSentence, refs: readonly Ref[]): void {
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

/** Whether an entity may be an organization; its type may only become known later, from the same sentence. */
function mayBeOrganization({ type, lazy }: Entity): boolean {
  return type === 'ORGANIZATION' || (type === 'OTHER' && !lazy);
}
