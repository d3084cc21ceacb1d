import { analyze } from '../../text/analyzer.js';
import type { MeantEntity, Step } from '../lanes/graph-paths.js';

/** Predicates that hold, or are asked for, in both directions: "Who is assigned to PAY-1?" */
const mutual =
  /^(?:assigned_to|borders|competes_with|connects_to|divorced_from|has_agreement_with|integrates_with|interacts_with|knows|married_to|merged_with|met|near|partners_with|same_.*|sibling_of|works_with)$/;
/** "based_in", "born_in": states, which are said with a form of "be" in the active. */
const state = /_(?:at|from|in|on|to|with)$/;
const being = /^(?:are|been|be|is|was|were)$/;

/** Tells from the order of a query's words which end of a relation the entity is that it names. */
export class AskedDirection {
  private readonly places = new Map<string, number>();
  private readonly named: ReadonlyMap<string, MeantEntity>;

  constructor(
    private readonly words: readonly string[],
    named: readonly MeantEntity[],
  ) {
    this.named = new Map(named.map((each) => [each.id, each]));
    words.forEach((word, at) => {
      const isNamed = named.some(({ first, last }) => first <= at && at <= last);
      for (const term of isNamed ? [] : analyze(word)) if (!this.places.has(term)) this.places.set(term, at);
    });
  }

  /**
   * Whether a term asks for the opposite of what a step says of the named entity: "Who does Ann report to?"
   * does not ask for who reports to Ann.
   */
  isAgainst({ group: { sourceEntity, targetEntity }, relation: { predicate } }: Step, term: string): boolean {
    const [source, target] = [this.named.get(sourceEntity), this.named.get(targetEntity)];
    const named = source ?? target;
    const at = this.places.get(term);
    if (at === undefined || !named || (source && target)) return false;
    const [verb = ''] = predicate.split('_');
    if (mutual.test(predicate) || predicate.endsWith('_of') || !analyze(verb).includes(term)) return false;
    const asked = this.isSource(named, { at, isState: state.test(predicate) });
    return asked !== undefined && asked !== (source !== undefined);
  }

  /**
   * "Where does Ann work?", "Who was hired by Acme?"; not "Who founded Acme?", "When was Acme founded?". Undefined
   * if the words leave it open: "What was founded around Acme?"
   */
  private isSource(
    { first, last }: MeantEntity,
    { at, isState }: { at: number; isState: boolean },
  ): boolean | undefined {
    const { words } = this;
    if (at < first && words.slice(at, first).includes('by')) return true;
    if (at < first) return !isState && being.test(words[at - 1] ?? '') ? undefined : false;
    const isPassive = !isState && words.slice(0, first).some((word) => being.test(word));
    return !isPassive && !words.slice(last + 1).includes('by');
  }
}
