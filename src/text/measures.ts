import { currency } from './amounts.js';

/**
 * Units by the spelling that is indexed, with patterns for their other
 * spellings; a plural `s` need not be given.
 */
const spellings: Readonly<Record<string, string>> = {
  ...{ percent: 'pct|per cent', bp: 'basis point', x: 'time' },
  ...{ kw: 'kilowatt', mw: 'megawatt', gw: 'gigawatt', kv: 'kilovolt', kwh: 'kilowatt[ -]?hour' },
  ...{
    mwh: 'megawatt[ -]?hour',
    gwh: 'gigawatt[ -]?hour',
    twh: 'terawatt[ -]?hour',
    mah: '',
    kva: '',
    mva: '',
  },
  ...{
    kb: 'kilobyte',
    mb: 'megabyte',
    gb: 'gigabyte',
    tb: 'terabyte',
    pb: 'petabyte',
    mbps: 'mbit/',
    gbps: 'gbit/',
  },
  ...{
    hz: 'hertz',
    khz: 'kilohertz',
    mhz: 'megahertz',
    ghz: 'gigahertz',
    rpm: '',
    fps: '',
    dpi: '',
    px: 'pixel',
  },
  ...{ kg: 'kilogram|kilo', g: 'gram|gramme', mg: 'milligram', mcg: 'microgram|[µμu]g', lb: '', oz: 'ounce' },
  ...{ km: 'kilomet(?:er|re)', cm: 'centimet(?:er|re)', mm: 'millimet(?:er|re)', nm: 'nanomet(?:er|re)' },
  ...{ ft: 'foot|feet', mile: 'mi', sqft: 'sq\\.? ?ft|square (?:foot|feet)', mph: '', kmh: 'km/h|kph' },
  ...{
    ml: 'millilit(?:er|re)',
    mmol: 'millimole',
    bbl: 'barrel',
    psi: '',
    kpa: '',
    mpa: '',
    mmhg: '',
    db: 'decibel',
  },
  ...{ h: 'hour|hr', min: 'minute', sec: 'second', ms: 'millisecond', kcal: 'kilocalorie' },
};
const units = Object.entries(spellings).map(
  ([unit, others]) =>
    [unit, new RegExp(`^(?:${others === '' ? unit : `${unit}|${others}`})s?$`, 'iu')] as const,
);
const anyUnit = Object.entries(spellings)
  .flatMap(([unit, others]) => [unit, ...(others === '' ? [] : [others])])
  .join('|');
const measure = new RegExp(
  String.raw`(?<![\d.,\p{L}$€£¥])(\d{1,9}(?:\.\d{1,6})?)([\s-]?)((?:${anyUnit})s?)(?![\p{L}\d]|\s?${currency}\b)`,
  'giu',
);
const unitOf = new Map<string, string>();
const unitsRememberedMax = 1000;

/**
 * Measures in one spelling: 120mw for "120 megawatts" and "120 MW". For measures written as one word
 * ("120MW") also the number and the unit apart.
 */
export function measuresIn(text: string): string[] {
  const found: string[] = [];
  for (const [written, value = '', gap = '', unit = ''] of text.matchAll(measure)) {
    const joined = `${value.replace(/(?<=\.\d*)0+$/, '').replace(/\.$/, '')}${shortened(unit)}`;
    if (joined !== written.toLowerCase()) found.push(joined);
    if (gap === '') found.push(value, unit.toLowerCase());
  }
  return found;
}

function shortened(unit: string): string {
  const known = unitOf.get(unit);
  if (known !== undefined) return known;
  const [found = unit] = units.find(([, pattern]) => pattern.test(unit)) ?? [];
  if (unitOf.size < unitsRememberedMax) unitOf.set(unit, found);
  return found;
}
