import { keyOf } from './entities.js';
import type { Entity } from './entities.js';
import type { Ref } from './phrases.js';
import type { ReadSentence } from './read-chunk.js';

/** So many sentences are about whom the text is about; one alone may be in passing. */
const sentencesMin = 2;

/** Which of the organizations that a text names it is about: those that its title names and its sentences begin with. */
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
    // Each paragraph of a list of companies is about another.
    if (beginsParagraph && !subject.indirect) this.sentences.clear();
    this.sentences.set(subject.entity, before + 1);
  }

  /** Whom "the company" means where `near` was named last: somebody else whom the text is about, or nobody where that is not clear. */
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

/** What kind of thing a name names is often told by the same sentence, which is read later. */
function mayBeOrganization({ type, lazy }: Entity): boolean {
  return type === 'ORGANIZATION' || (type === 'OTHER' && !lazy);
}
