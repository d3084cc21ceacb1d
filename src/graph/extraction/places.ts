import type { Finding } from './clauses.js';
import { isRegionAbbreviation, kindOf } from './lexicon.js';
import type { Ref, SentenceView } from './phrases.js';

const placePrepositions = /^(?:in|at|near|of|outside)$/;
const directions =
  /^(?:the|southern|northern|eastern|western|central|downtown|suburban|nearby|south|north|east|west|northwest|northeast|southeast|southwest|upper|lower|extreme|greater|rural|neighboring|neighbouring|northwestern|southwestern|northeastern|southeastern)$/;

/** Where things are by how names stand together: "Oxford, Ohio", "Acme Corp. of Oslo", "Norway's Bergen". */
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

/** A place and the region that it lies in: "Oxford, Ohio". */
export function chainOf(view: SentenceView, source: Ref, target: Ref): Finding | undefined {
  if (source.entity.type !== 'LOCATION' || target.entity.type !== 'LOCATION') return undefined;
  if (view.lower(source.end) !== ',' || target.start !== source.end + 1) return undefined;
  const name = nameOf(view, target);
  if (kindOf(nameOf(view, source)) === 'region' && kindOf(name) === 'region') return undefined;
  const isRegion = kindOf(name) === 'region' || isRegionAbbreviation(name);
  return isRegion ? found({ source, target }, 'located_in', ',') : undefined;
}

function nameOf(view: SentenceView, { start, end }: Ref): string {
  return Array.from({ length: end - start }, (_, at) => view.lower(start + at)).join(' ');
}

/** "Acme Corp. of Oslo", "Bob Lee, 83, of Oslo" */
function placedOf(view: SentenceView, source: Ref, target: Ref): Finding | undefined {
  if (target.entity.type !== 'LOCATION') return undefined;
  let at = source.end;
  if (view.lower(at) === ',' && /^\d{1,3}$/.test(view.lower(at + 1)) && view.lower(at + 2) === ',') at += 3;
  else if (view.lower(at) === ',' && /^(?:in|of|near|outside)$/.test(view.lower(at + 1)) && source.entity.type !== 'LOCATION') at += 1;
  const preposition = view.lower(at);
  if (!placePrepositions.test(preposition)) return undefined;
  for (at += 1; at < target.start; at += 1) if (!directions.test(view.lower(at))) return undefined;
  const predicate = placedPredicate(source.entity.type, preposition);
  return predicate === undefined ? undefined : found({ source, target }, predicate, preposition);
}

function placedPredicate(type: string, preposition: string): string | undefined {
  if (type === 'LOCATION') return preposition === 'near' || preposition === 'outside' ? 'near' : 'located_in';
  if (type === 'ORGANIZATION') return preposition === 'near' || preposition === 'outside' ? undefined : 'based_in';
  return type === 'PERSON' && preposition === 'of' ? 'lives_in' : undefined;
}

/** "Beijing's Tiananmen Square" */
function possessedOf(view: SentenceView, target: Ref, source: Ref): Finding | undefined {
  if (target.entity.type !== 'LOCATION' || !view.isPossessive(target.end) || source.start !== target.end + 1) return undefined;
  if (source.entity.type === 'LOCATION') return found({ source, target }, 'located_in', "'s");
  return source.entity.type === 'ORGANIZATION' ? found({ source, target }, 'based_in', "'s") : undefined;
}

/** Who is in "Oxford, Ohio" is in Ohio too. */
export function inRegions(view: SentenceView, findings: readonly Finding[]): Finding[] {
  const regionOf = new Map<Ref, Ref>();
  view.refs.forEach((ref, index) => {
    const next = view.refs[index + 1];
    if (next && chainOf(view, ref, next)) regionOf.set(ref, next);
  });
  return findings.flatMap((finding) => {
    const region = /^(?:based_in|lives_in|born_in|located_in|died_in)$/.test(finding.predicate) ? regionOf.get(finding.target) : undefined;
    return region ? [{ ...finding, target: region, confidence: finding.confidence * 0.9 }] : [];
  });
}

/** "OSLO, Norway (AP)": where a report was sent from. */
export function readDateline(view: SentenceView): Finding[] {
  const [place, ...others] = view.refs;
  const agency = others.find(({ entity }) => entity.type === 'ORGANIZATION');
  if (!place || !agency || place.start !== 0 || place.entity.type !== 'LOCATION' || others.indexOf(agency) > 1) return [];
  if (view.lower(agency.start - 1) !== '(' || view.lower(agency.end) !== ')') return [];
  const places = view.refs.slice(0, others.indexOf(agency) + 1);
  const last = places.at(-1);
  if (!last || last.end !== agency.start - 1 || last.entity.type !== 'LOCATION') return [];
  return places.map((target) => found({ source: agency, target }, 'reports_from', 'dateline'));
}
