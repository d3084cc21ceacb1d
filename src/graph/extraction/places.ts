import type { Finding } from './clauses.js';
import { isRegionAbbreviation, isRole, kindOf } from './lexicon.js';
import { isCommonNoun, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { isBehindTown } from './place-signs.js';

const placePrepositions = /^(?:in|at|near|of|outside)$/;
/** What is done at the place where the one who does it is. */
const producing =
  /^(?:assembled|built|conducted|designed|developed|employed|made|manufactured|printed|processed|produced|published|run|treated)$/;
/** Words that may stand between a preposition and a place. */
export const directions =
  /^(?:the|southern|northern|eastern|western|central|downtown|suburban|nearby|south|north|east|west|northwest|northeast|southeast|southwest|upper|lower|extreme|greater|rural|neighboring|neighbouring|northwestern|southwestern|northeastern|southeastern|(?:north|south)-(?:east|west)(?:ern)?)$/;

/** Organizations that are at one place: "doctors at Mercy Hospital in Miami". */
const sited =
  /\b(?:universit|college|school|academy|institute?|seminary|hospital|clinic|infirmary|museum|gallery|church|cathedral|temple|mosque|synagogue|library|laborator|observatory|cent(?:er|re)\b|prison|court|jail|hotel|inn\b|theat(?:er|re)|zoo\b|aquarium|station|barracks|base\b|plant\b|factory|mill\b|refinery|embassy|consulate|headquarters)/i;

/**
 * Relations of names to places that adjacent names state: "Oxford, Ohio", "Acme
 * Corp. of Oslo", "Norway's Bergen".
 */
export function readPlaces(view: SentenceView): Finding[] {
  const { refs } = view;
  return refs.flatMap((ref, index) => {
    const next = refs[index + 1];
    if (!next || next.entity === ref.entity) return [];
    return [chainOf(view, ref, next), placedOf(view, ref, next), possessedOf(view, ref, next)].flatMap(
      (finding) => finding ?? [],
    );
  });
}

const found = (ends: { source: Ref; target: Ref }, predicate: string, raw: string): Finding => ({
  ...ends,
  predicate,
  raw,
  confidence: 0.75,
  from: ends.source.start,
  to: ends.target.end,
});

/** A place and its region: "Oxford, Ohio". */
function chainOf(view: SentenceView, source: Ref, target: Ref): Finding | undefined {
  if (source.entity.type !== 'LOCATION' || target.entity.type !== 'LOCATION') return undefined;
  if (view.lower(source.end) !== ',') return undefined;
  for (let at = source.end + 1; at < target.start; at += 1)
    if (!directions.test(view.lower(at))) return undefined;
  const name = nameOf(view, target);
  if (kindOf(nameOf(view, source)) === 'region' && kindOf(name) === 'region') return undefined;
  const isRegion =
    isBehindTown(view.tokens, target.start, target.end) ||
    kindOf(name) === 'region' ||
    /^(?:new york|washington)$/.test(name) ||
    isRegionAbbreviation(name);
  return isRegion ? found({ source, target }, 'located_in', ',') : undefined;
}

function nameOf(view: SentenceView, { start, end }: Ref): string {
  return Array.from({ length: end - start }, (_, at) => view.lower(start + at)).join(' ');
}

/** "Acme Corp. of Oslo", "Bob Lee, 83, of Oslo" */
function placedOf(view: SentenceView, source: Ref, target: Ref): Finding | undefined {
  if (target.entity.type !== 'LOCATION' && source.entity.type !== 'PERSON') return undefined;
  let at = source.end;
  if (view.lower(at) === ',' && /^\d{1,3}$/.test(view.lower(at + 1)) && view.lower(at + 2) === ',') at += 3;
  else if (view.lower(at) === ',' && /^(?:in|of|near|outside)$/.test(view.lower(at + 1))) at += 1;
  const preposition = view.lower(at);
  // "Ann Lee of the Oslo team"
  if (!placePrepositions.test(preposition) || isCommonNoun(view, target.end)) return undefined;
  for (at += 1; at < target.start; at += 1) if (!directions.test(view.lower(at))) return undefined;
  const predicate =
    target.entity.type === 'LOCATION'
      ? placedPredicate(view, { source, target, preposition })
      : belonging(preposition, target);
  return predicate === undefined ? undefined : found({ source, target }, predicate, preposition);
}

/** "Bob Lee of Acme" */
function belonging(preposition: string, target: Ref): string | undefined {
  return preposition === 'of' && target.entity.type === 'ORGANIZATION' ? 'works_for' : undefined;
}

/** Whether one place can lie in another. In "beat France in Berlin" it cannot: no country lies in a town. */
function isWithin(view: SentenceView, source: Ref, target: Ref): boolean {
  if (kindOf(nameOf(view, source)) !== 'region') return true;
  return kindOf(nameOf(view, target)) === 'region' && view.pos(source.start - 1) !== 'VERB';
}

function placedPredicate(
  view: SentenceView,
  { source, target, preposition }: { source: Ref; target: Ref; preposition: string },
): string | undefined {
  const { type } = source.entity;
  const isBeside = preposition === 'near' || preposition === 'outside';
  const isInserted = view.lower(source.end) === ',';
  if (type === 'LOCATION')
    return isBeside ? 'near' : isWithin(view, source, target) ? 'located_in' : undefined;
  // "a rally at the Lenin Shipyard in Gdansk"
  if (type === 'OTHER' && /^(?:in|at)$/.test(preposition) && !isInserted)
    return view.lower(phraseStart(view, source.start) - 1) === 'at' ? 'located_in' : undefined;
  if (type === 'ORGANIZATION')
    return !isBeside &&
      !(isInserted && isOfHolder(view, source)) &&
      (isInserted || preposition === 'of' || isSited(view, source))
      ? 'based_in'
      : undefined;
  // "Bob Lee, of Oslo", but "Mayor Ann Lee of Oslo"
  return type === 'PERSON' && preposition === 'of' ? (isInserted ? 'lives_in' : 'from') : undefined;
}

/** "met Tom Reed, the CEO of Acme, in Oslo": whether the comma behind an organization ends what is said of a person. */
function isOfHolder(view: SentenceView, { start }: Ref): boolean {
  const joint = view.lower(start - 1) === 'the' ? start - 2 : start - 1;
  return /^(?:at|for|of)$/.test(view.lower(joint)) && isRole(view.lower(joint - 1));
}

/**
 * Whether the place is that of the organization: "a chemist at Acme in Oslo", "president of Acme in
 * Oslo", but not "sued Acme in Oslo".
 */
function isSited(view: SentenceView, ref: Ref): boolean {
  const before = phraseStart(view, ref.start) - 1;
  if (/^(?:at|for|with)$/.test(view.lower(before)) || sited.test(nameOf(view, ref))) return true;
  if (view.lower(before) === 'by') return producing.test(view.lower(before - 1));
  return view.lower(before) === 'of' && isRole(view.lower(before - 1));
}

/** "Vienna's Karlsplatz Square", "Ann Hill's native Ewell" */
function possessedOf(view: SentenceView, target: Ref, source: Ref): Finding | undefined {
  const isNative = source.start === target.end + 2 && view.lower(target.end + 1) === 'native';
  if (isNative && view.isPossessive(target.end) && target.entity.type === 'PERSON')
    return found({ source: target, target: source }, 'from', 'native');
  if (target.entity.type !== 'LOCATION' || !view.isPossessive(target.end) || source.start !== target.end + 1)
    return undefined;
  // Not "Finland's EU membership"
  const isShort = /^\p{Lu}{2,4}$/u.test(source.entity.name);
  if (source.entity.type === 'LOCATION' && !isShort) return found({ source, target }, 'located_in', "'s");
  return source.entity.type === 'ORGANIZATION' ? found({ source, target }, 'based_in', "'s") : undefined;
}

const inherited = /^(?:based_in|lives_in|born_in|located_in|died_in|from|grew_up_in)$/;
const inheritedDepthMax = 2;

/** Findings for the region as well: whoever is in "Oxford, Ohio" is also in Ohio. */
export function inRegions(findings: readonly Finding[]): Finding[] {
  const regionOf = new Map<Ref, Ref>();
  for (const { source, target, predicate } of findings)
    if (predicate === 'located_in' && source.end < target.start) regionOf.set(source, target);
  return findings.flatMap((finding) => {
    const wider: Finding[] = [];
    if (!inherited.test(finding.predicate)) return wider;
    let region = regionOf.get(finding.target);
    for (let depth = 1; region && depth <= inheritedDepthMax; depth += 1) {
      wider.push({ ...finding, target: region, confidence: finding.confidence * 0.9 ** depth });
      region = regionOf.get(region);
    }
    return wider;
  });
}

/** "OSLO, Norway (AP)": the places that a news agency reports from. */
export function readDateline(view: SentenceView): Finding[] {
  const [place, ...others] = view.refs;
  const agency = others.find(({ entity }) => entity.type === 'ORGANIZATION');
  if (
    !place ||
    !agency ||
    place.start !== 0 ||
    place.entity.type !== 'LOCATION' ||
    others.indexOf(agency) > 1
  )
    return [];
  if (view.lower(agency.start - 1) !== '(' || view.lower(agency.end) !== ')') return [];
  const places = view.refs.slice(0, others.indexOf(agency) + 1);
  const last = places.at(-1);
  if (!last || last.end !== agency.start - 1 || last.entity.type !== 'LOCATION') return [];
  return places.map((target) => found({ source: agency, target }, 'reports_from', 'dateline'));
}
