const roman: readonly (readonly [string, number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];

/** A number as a list shows it. `format` is named as in Word; formats not known here are shown as decimal. */
export function countedAs(count: number, format: string): string {
  if (format === 'none') return '';
  if (format === 'decimalZero' && count < 10) return `0${count}`;
  if (count < 1 || count > 5_000) return String(count);
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
    return format === 'upperLetter' ? letter.toUpperCase() : letter;
  }
  if (format === 'lowerRoman' || format === 'upperRoman') {
    const numeral = romanNumeral(count);
    return format === 'upperRoman' ? numeral.toUpperCase() : numeral;
  }
  return String(count);
}

function romanNumeral(count: number): string {
  let left = count;
  let numeral = '';
  for (const [letters, value] of roman) {
    while (left >= value) {
      numeral += letters;
      left -= value;
    }
  }
  return numeral;
}
