import { foreignStreets, kindOf, placeEnds } from './lexicon.js';
import type { Token } from './reader.js';

const dwelling =
  /^(?:based|born|died|dwells?|headquartered|lived?|lives|living|located|raised|resided?|resides|residing)$/;
const settlement =
  /^(?:borough|canton|city|commune|county|hamlet|hometown|island|municipality|outskirts|parish|prefecture|province|suburbs?|town|village)$/;
/** What stands somewhere: "the plant in Kobe". */
const sites =
  /^(?:airport|apartment|castle|cemetery|clinic|factory|farm|flat|foundry|home|hospital|hotel|house|monastery|museum|office|plant|prison|quarry|refinery|shipyard|stadium|theatre|warehouse|winery)s?$/;
const directions =
  /^(?:central|downtown|suburban|nearby|rural|upstate|(?:north|south|east|west)(?:ern)?|(?:north|south)-?(?:east|west)(?:ern)?)$/;

/** "born", "grew up": whether a verb says where somebody lives or something is. */
export const isDwelling = (tokens: readonly Token[], at: number): boolean =>
  dwelling.test(tokens[at]?.lower ?? '') || (tokens[at]?.lower === 'up' && tokens[at - 1]?.lower === 'grew');

/** "born in", "a plant near": whether the preposition at an index stands before a place. */
export function isPlacing(tokens: readonly Token[], at: number): boolean {
  const [before, preposition] = [tokens[at - 1], tokens[at]?.lower ?? ''];
  if (preposition === 'in' && isDwelling(tokens, at - 1)) return true;
  return /^(?:in|near|outside)$/.test(preposition) && sites.test(before?.text ?? '');
}

/** "headquartered in Ludlow, Shropshire": whether a name ends a clause behind the town where something is. */
export function isBehindTown(tokens: readonly Token[], start: number, end: number): boolean {
  if (tokens[start - 1]?.text !== ',' || !/^[.;)]?$/.test(tokens[end]?.text ?? '')) return false;
  let at = start - 2;
  while (at > start - 4 && /^\p{Lu}/u.test(tokens[at]?.text ?? '')) at -= 1;
  // Not "Live in Japan, Vol. 2"
  const isSaid = isDwelling(tokens, at - 1) && /^\p{Ll}/u.test(tokens[at - 1]?.text ?? '');
  return at < start - 2 && tokens[at]?.lower === 'in' && isSaid;
}

/** Whether a name is of a street or town in an address: "Torstraße 140, 10119 Berlin". */
export function isAddressed(tokens: readonly Token[], start: number, end: number): boolean {
  const before = tokens[start - 1]?.text ?? '';
  const isStreet = end - start === 1 && foreignStreets.test((tokens[start]?.lower ?? '').replace(/\.$/, ''));
  if (isStreet && /^\d{1,4}\p{L}?$/u.test(tokens[end]?.text ?? '')) return true;
  const isBehindStreet = tokens[start - 2]?.text === ',' && /^\d/.test(tokens[start - 3]?.text ?? '');
  const isApart = tokens[start - 2] === undefined || /^[,;|•·]$/.test(tokens[start - 2]?.text ?? '');
  return (/^\d{5}$/.test(before) && isApart) || (/^\d{4}$/.test(before) && isBehindStreet);
}

/**
 * Whether the words around a name make it a place: "in nearby Ewell", "the suburb of Ewell", "northeast of
 * Ewell", "Globex Co. of Ewell", "Ewell-based".
 */
export function isPlaceAt(tokens: readonly Token[], start: number, end: number): boolean {
  const lower = (at: number) => tokens[at]?.lower ?? '';
  if (lower(end) === '-' && /^(?:based|headquartered)$/.test(lower(end + 1))) return true;
  const before = lower(start - 1);
  if (directions.test(before) && /^(?:at|from|in|of|the|to)$/.test(lower(start - 2))) return true;
  // "in his native Ewell"
  if (before === 'native') return /^(?:['’]s|her|his|their)$/.test(lower(start - 2));
  if (before !== 'of') return false;
  const head = lower(start - 2);
  return (
    isSettlement(tokens, start - 2) ||
    (/^(?:north|south|east|west|(?:north|south)-?(?:east|west))$/.test(head) &&
      tokens[start - 3]?.lower !== 'the') ||
    (/^(?:co|corp|inc|ltd)\.?$/.test(head) &&
      /^\p{Lu}/u.test(tokens[start - 2]?.text ?? '') &&
      end - start === 1)
  );
}

/** "the town of", "the Town of"; but "London Borough of Camden" is one name. */
function isSettlement(tokens: readonly Token[], at: number): boolean {
  const { lower = '', text = '' } = tokens[at] ?? {};
  return settlement.test(lower) && (/^\p{Ll}/u.test(text) || tokens[at - 1]?.lower === 'the');
}

/** Whether a noun behind a name denotes a place: "in Waxhaw settlement", but not "in Enterprise plan". */
export function isPlaceNoun(lower: string): boolean {
  return (
    placeEnds.has(lower) || /^(?:neighbou?rhood|office|plant|settlement|site|suburb|warehouse)$/.test(lower)
  );
}

/** Whether a name of a region begins at a token. */
export function isRegionAt(tokens: readonly Token[], at: number): boolean {
  const one = tokens[at];
  if (!one || !/^\p{Lu}/u.test(one.text)) return false;
  const two = [one.lower, tokens[at + 1]?.lower ?? ''].join(' ');
  return kindOf(one.lower) === 'region' || kindOf(two) === 'region';
}

/** Whether a word may stand before a place. */
export function isPlacePreposition(lower: string): boolean {
  return /^(?:in|near|of|from|at|to|outside|around)$/.test(lower);
}
