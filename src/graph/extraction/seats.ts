import { subjectBefore } from './appointments.js';
import type { Finding } from './clauses.js';
import { isRole } from './lexicon.js';
import type { Ref, SentenceView } from './phrases.js';
import { isCommonNoun, isSeatAt, phraseStart } from './phrases.js';
import { directions } from './places.js';
import { verbOf } from './predicates.js';
import { describedBefore } from './subjects.js';

const describedTokensMax = 6;
const ownerTokensMax = 16;
const firms =
  /^(?:bank|brewery|carmaker|charity|company|consultancy|developer|firm|insurer|maker|manufacturer|newspaper|publisher|retailer|start-?up|supplier)$/;
const seats = /^(?:headquarters|hq|seat)$/;
const linking = /^(?:is|are|was|were|located|based|situated)$/;
const kind = /^(?:global|main|european|corporate|north|american|principal|registered|head|own|current|new)$/;
const parts = /^(?:area|borough|district|neighbou?rhood|quarter|section|suburb)$/;

/** The seats of companies and homes of people that nouns and "-based" state. */
export function readSeats(view: SentenceView): Finding[] {
  return view.refs.flatMap((place) =>
    place.entity.type === 'LOCATION'
      ? [...basedIn(view, place), ...seatedIn(view, place), ...homeIn(view, place), ...partOf(view, place)]
      : [],
  );
}

const findingOf = (
  source: Ref,
  target: Ref,
  said: { predicate: string; raw: string; types: readonly string[] },
) => ({
  source,
  target,
  predicate: said.predicate,
  raw: said.raw,
  confidence: 0.75,
  from: Math.min(source.start, target.start),
  to: Math.max(source.end, target.end),
  types: { source: said.types, target: ['LOCATION'] },
});
const based = { predicate: 'based_in', raw: 'based', types: ['ORGANIZATION', 'PRODUCT', 'PERSON'] };

/** "the Boston-based Atlantic Trust", "Acme, a Boston-based maker of tools", "Toronto start-up Quillbase" */
function basedIn(view: SentenceView, place: Ref): Finding[] {
  const isBased = isSeatAt(view, place.end);
  if (!isBased && !firms.test(view.lower(place.end))) return [];
  const before = view.lower(place.start - 1) === ',' ? view.endingAt(place.start - 1) : undefined;
  const city = /^(?:LOCATION|OTHER)$/.test(before?.entity.type ?? '') ? before : undefined;
  const source =
    namedBehind(view, isBased ? place.end + 2 : place.end) ??
    (isBased ? describedBy(view, phraseStart(view, (city ?? place).start)) : undefined);
  const places = city ? [city, place] : [place];
  return source ? places.map((each) => findingOf(source, each, based)) : [];
}

/**
 * The name that nouns behind "Boston-based" lead to: "rock band Godsmack", or after a
 * role a person: "architect Ann Hill".
 */
function namedBehind(view: SentenceView, begin: number): Ref | undefined {
  let isCalling = false;
  for (let at = begin; at < begin + describedTokensMax;) {
    const ref = view.startingAt(at);
    if (ref && !isCommonNoun(view, ref.end)) {
      const isNamed = ref.entity.type === 'PERSON' ? isCalling : ref.entity.type !== 'LOCATION';
      return isNamed ? ref : undefined;
    }
    if (!ref && !isNoun(view, at) && !firms.test(view.lower(at))) return undefined;
    isCalling ||= isRole(view.lower(at));
    at = ref?.end ?? at + 1;
  }
  return undefined;
}

const isNoun = (view: SentenceView, at: number) => /^(?:ADJ|NOUN|PROPN)$/.test(view.pos(at));

/** The name that a phrase after a comma or "is" describes. */
function describedBy(view: SentenceView, start: number): Ref | undefined {
  const before = view.lower(start - 1);
  if (before === ',') return describedBefore(view, start - 1);
  return /^(?:is|was)$/.test(before) ? subjectBefore(view, start - 1)[0] : undefined;
}

/** The index of the preposition before a place: "in nearby Rockville". */
function prepositionBefore(view: SentenceView, { start }: Ref): number {
  let at = start - 1;
  while (directions.test(view.lower(at))) at -= 1;
  return at;
}

/**
 * "Acme's headquarters are in Oslo", "NRC headquarters in nearby Rockville", "a company with its
 * principal place of business in Oslo"
 */
function seatedIn(view: SentenceView, place: Ref): Finding[] {
  let at = prepositionBefore(view, place);
  if (!/^(?:in|at)$/.test(view.lower(at))) return [];
  at -= 1;
  while (linking.test(view.lower(at))) at -= 1;
  const words = [view.lower(at - 2), view.lower(at - 1), view.lower(at)];
  if (words.join(' ') === 'place of business') at -= 3;
  else if (seats.test(view.lower(at))) at -= 1;
  else if (words[2] === 'office' && /^(?:head|main|registered)$/.test(words[1] ?? '')) at -= 2;
  else return [];
  while (kind.test(view.lower(at))) at -= 1;
  const owner = /^(?:its|their|whose)$/.test(view.lower(at))
    ? ownerBefore(view, at)
    : view.endingAt(view.isPossessive(at) ? at : at + 1);
  if (!owner || !/^(?:ORGANIZATION|OTHER)$/.test(owner.entity.type)) return [];
  return [
    findingOf(owner, place, { predicate: 'based_in', raw: 'headquarters in', types: ['ORGANIZATION'] }),
  ];
}

/** The organization that "its" in "with its …" means: the last one named, if no verb stands between. */
function ownerBefore(view: SentenceView, at: number): Ref | undefined {
  // "Acme said the bank, with its headquarters in Oslo, …" is about the bank.
  const behind = view.lower(at - 1) === 'with' ? at - (view.lower(at - 2) === ',' ? 2 : 1) : 0;
  if (firms.test(view.lower(behind - 1))) {
    const start = phraseStart(view, behind);
    if (/^(?:ADP|VERB)$/.test(view.pos(start - 1))) return undefined;
    return view.endingAt(behind) ?? describedBy(view, start);
  }
  const own = view.endingAt(at + 1);
  if (own) return own;
  if (view.lower(at) === 'whose') return view.endingAt(view.lower(at - 1) === ',' ? at - 1 : at);
  if (!/^(?:with|and)$/.test(view.lower(at - 1))) return undefined;
  const ref = view.refs.findLast(({ end, entity }) => end < at && entity.type === 'ORGANIZATION');
  if (!ref || at - ref.end > ownerTokensMax) return undefined;
  const between = view.tokens.slice(ref.end, at);
  const isOpen = between.some(
    ({ pos, lower }) =>
      (pos === 'VERB' || pos === 'AUX') && !/^(?:incorporated|organi[sz]ed|registered)$/.test(lower),
  );
  return isOpen ? undefined : ref;
}

/** "said from her home in Oslo", "Nelson's hometown of Abbott" */
function homeIn(view: SentenceView, place: Ref): Finding[] {
  let at = prepositionBefore(view, place);
  const isHometown = view.lower(at) === 'of' && view.lower(at - 1) === 'hometown';
  const isHome = view.lower(at) === 'in' && /^(?:apartment|flat|home|house)$/.test(view.lower(at - 1));
  if (!isHometown && !isHome) return [];
  at -= 2;
  const owners = /^(?:his|her|their)$/.test(view.lower(at)) ? subjectOf(view, at) : ownerOf(view, at);
  const said = {
    predicate: isHome ? 'lives_in' : 'from',
    raw: isHome ? 'home in' : 'hometown of',
    types: ['PERSON'],
  };
  // "in the Louisville suburb of Okolona" is in both.
  const inner = parts.test(view.lower(place.end)) ? view.startingAt(place.end + 2) : undefined;
  const homes = inner?.entity.type === 'LOCATION' ? [place, inner] : [place];
  return owners
    .filter(({ entity }) => entity.type === 'PERSON')
    .flatMap((owner) => homes.map((home) => findingOf(owner, home, said)));
}

function ownerOf(view: SentenceView, at: number): readonly Ref[] {
  const owner = view.isPossessive(at) ? view.endingAt(at) : undefined;
  return owner ? [owner] : [];
}

/** The subject of the verb before "her home"; empty for verbs of dying. */
function subjectOf(view: SentenceView, before: number): readonly Ref[] {
  const own = view.endingAt(before + 1);
  if (own) return [own];
  for (let at = before - 1; at > 0; at -= 1)
    if (view.pos(at) === 'VERB' && !view.startingAt(at))
      return verbOf(view.lower(at)) === 'die' ? [] : subjectBefore(view, at);
  return [];
}

/**
 * "the Louisville suburb of Okolona" lies in Louisville, but "the Harlem
 * neighborhood of Manhattan" in Manhattan.
 */
function partOf(view: SentenceView, place: Ref): Finding[] {
  const head = place.start - 2;
  if (view.lower(place.start - 1) !== 'of' || !parts.test(view.lower(head))) return [];
  const other = view.endingAt(head);
  if (other?.entity.type !== 'LOCATION') return [];
  const [source, target] = /^(?:borough|suburb)$/.test(view.lower(head)) ? [place, other] : [other, place];
  return [
    findingOf(source, target, {
      predicate: 'located_in',
      raw: `${view.lower(head)} of`,
      types: ['LOCATION'],
    }),
  ];
}
