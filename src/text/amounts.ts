const number = String.raw`(?<![\d.,\p{L}])(\d{1,6}(?:\.\d{1,6})?)`;
export const currency = '(?:usd|eur|gbp|chf|jpy|cad|aud|inr|cny|dollars?|euros?|pounds?)';
const inWords = new RegExp(String.raw`${number}[\s-]?(thousand|million|billion|trillion)s?\b`, 'giu');
const short = '(k|mm|mn|mio|m|bn|b|tn)';
const behindSign = new RegExp(
  String.raw`(?:[$€£¥]|\b${currency})\s?(\d{1,6}(?:\.\d{1,6})?)\s?${short}\b`,
  'giu',
);
const beforeName = new RegExp(String.raw`${number}\s?${short}\s?${currency}\b`, 'giu');
const mayHaveAmounts = /\d[\s-]?(?:[kmb]|tn|th|tr)/i;

const zerosOf: Readonly<Record<string, number>> = {
  ...{ k: 3, thousand: 3, m: 6, mm: 6, mn: 6, mio: 6, million: 6 },
  ...{ b: 9, bn: 9, billion: 9, tn: 12, trillion: 12 },
};

/**
 * Amounts that a text gives in thousands, millions and so on, each as digits alone: 1500000 for "1.5
 * million", "$1.5m" and "1.5M USD".
 */
export function amountsIn(text: string): string[] {
  if (!mayHaveAmounts.test(text)) return [];
  // Keyed by position: several patterns may find one amount, as in "$12M USD".
  const found = new Map<number, string>();
  for (const pattern of [inWords, behindSign, beforeName])
    for (const { 0: whole, 1: value = '', 2: scale = '', index } of text.matchAll(pattern)) {
      const digits = inDigits(value, scale);
      if (digits !== undefined) found.set(index + whole.indexOf(value), digits);
    }
  return [...found.values()];
}

/** The amount in digits; undefined if it is not a whole number. */
function inDigits(value: string, scale: string): string | undefined {
  const [whole = '', fraction = ''] = value.split('.');
  const zeros = (zerosOf[scale.toLowerCase()] ?? 0) - fraction.length;
  return zeros < 0 ? undefined : `${whole}${fraction}${'0'.repeat(zeros)}`.replace(/^0+(?=\d)/, '');
}
