/**
 * The characters of the Symbol font from 0x20 on, for Greek texts and formulas; pieces of brackets are
 * spaces.
 */
const symbols =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ' +
  ' '.repeat(32) +
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫';
/** The characters of picture fonts that say something. */
const pictures: Readonly<Record<number, string>> = {
  0x6c: '●',
  0x6e: '■',
  0x6f: '☐',
  0x71: '☐',
  0x72: '☐',
  0x76: '❖',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe8: '→',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};

/**
 * The character that a symbol font shows for a code, 0x20 to 0xFF or 0xF020 to 0xF0FF; empty for a mere
 * picture.
 */
export function symbolText(font: string, code: number): string {
  const place = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/^symbol/i.test(font)) return symbols[place - 0x20] ?? '';
  if (/dings|webdings/i.test(font)) return pictures[place] ?? '';
  if (code >= 0xe000 && code <= 0xf8ff)
    return code >= 0xf020 && code < 0xf080 ? String.fromCharCode(place) : '';
  return code > 0x1f && code < 0xd800 ? String.fromCharCode(code) : '';
}
