import { describe, expect, test } from '@jest/globals';
import { decodeText, sentCharset } from '../../src/ingestion/parsers/charset.js';
import { ParseError } from '../../src/ingestion/parsers/parser.js';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const utf16le = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'));
const utf16be = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le').swap16());
const hex = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'));

describe('decodeText', () => {
  test.each([
    ['UTF-8', new TextEncoder().encode('naïve 日本語 👩‍👧'), 'naïve 日本語 👩‍👧'],
    ['UTF-8 with a mark', hex('efbbbf6162'), 'ab'],
    ['UTF-16LE with a mark', utf16le('\ufeffZoë 日本'), 'Zoë 日本'],
    ['UTF-16BE with a mark', utf16be('\ufeffZoë 日本'), 'Zoë 日本'],
    ['UTF-16LE without a mark', utf16le('Zoë went home.'), 'Zoë went home.'],
    ['UTF-16BE without a mark', utf16be('Zoë went home.'), 'Zoë went home.'],
    [
      'UTF-16LE Japanese without a mark',
      utf16le('日本語の文。 これは二つ目。'),
      '日本語の文。 これは二つ目。',
    ],
    ['nothing', new Uint8Array(), ''],
  ])('reads %s', (_name, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  test('reads the quotes and dashes of windows-1252, which Node takes for control characters', () => {
    expect(decodeText(latin1('a \x93quoted\x94 word \x96 5 \x80'))).toBe('a “quoted” word – 5 €');
  });

  test('takes a short accented text for Latin-1, not for Latin-2', () => {
    expect(decodeText(latin1('Café naïve résumé'))).toBe('Café naïve résumé');
  });

  test.each([
    [
      'Shift_JIS',
      '8ce1947982cd944c82c582a082e9814296bc914f82cd82dc82be96b382a28142',
      '吾輩は猫である。名前はまだ無い。',
    ],
    [
      'EUC-KR',
      'bafcb8a520b0a5bbf620bfa9bfecb0a120b0d4c0b8b8a520b0b3b8a620b6d9beeeb3d1bdc0b4cfb4d92e',
      '빠른 갈색 여우가 게으른 개를 뛰어넘습니다.',
    ],
    ['ISO-2022-JP', '1b2442467c4b5c386c1b2842', '日本語'],
  ])('guesses %s', (_name, digits, text) => {
    expect(decodeText(hex(digits))).toBe(text);
  });

  test('guesses the Cyrillic of windows-1251', () => {
    const bytes = hex('cff0e8e2e5f22c20ece8f02120ddf2ee20eff0eef1f2eee920f2e5eaf1f22e');
    expect(decodeText(bytes)).toBe('Привет, мир! Это простой текст.');
  });

  test('takes an unlikely guess where windows-1252 has no such character', () => {
    expect(decodeText(latin1('P\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd k\xf9\xf2'))).toBe(
      'Příliš žluťoučký kůň',
    );
  });

  test('takes UTF-8 with a stray byte for UTF-8 however long it is', () => {
    const text = `${'x'.repeat(100_000)} ${'ж'.repeat(40_000)} ж`;
    const bytes = new TextEncoder().encode(text);
    expect(decodeText(Uint8Array.from([...bytes, 0xff]))).toBe(`${text}\ufffd`);
    expect(decodeText(bytes.subarray(0, -1))).toBe(`${text.slice(0, -1)}\ufffd`);
  });

  test('prefers the declared charset to a guess, and UTF-8 to a wrong declaration', () => {
    expect(decodeText(hex('b1e6'), 'iso-8859-2')).toBe('ąć');
    expect(decodeText(new TextEncoder().encode('é'), 'iso-8859-2')).toBe('é');
    expect(decodeText(latin1('é'), 'no-such-charset')).toBe('é');
  });

  test.each([
    ['text/csv; header=present; charset="GBK"', 'GBK'],
    ['text/plain;charset=windows-1251', 'windows-1251'],
    ['text/plain; charset=ISO-8859-1', undefined],
    ['text/plain', undefined],
    [undefined, undefined],
  ])('is told by the Content-Type %s', (contentType, charset) => {
    expect(sentCharset(contentType)).toBe(charset);
  });

  test('stays with UTF-8 where a text is cut in a letter or has a stray byte', () => {
    const text = 'Größe, Straße, Äpfel und Öfen. '.repeat(20);
    const bytes = Buffer.from(text);
    expect(decodeText(bytes.subarray(0, 2))).toBe('Gr');
    expect(decodeText(bytes.subarray(0, bytes.lastIndexOf(0xb6)))).toBe(
      `${text.slice(0, text.lastIndexOf('ö'))}\ufffd`,
    );
    expect(decodeText(Buffer.concat([bytes, hex('fc'), bytes]))).toBe(`${text}\ufffd${text}`);
    expect(decodeText(Buffer.concat([bytes, hex('fc')]), 'iso-8859-1')).toBe(`${text}\ufffd`);
  });

  test('stays with UTF-8 also where a short text has few letters', () => {
    const cut = Buffer.concat([Buffer.from('Jörg fährt nach Köln'), hex('c3'), Buffer.from('\n')]);
    expect(decodeText(cut)).toBe('Jörg fährt nach Köln\ufffd\n');
    const table = Buffer.concat([Buffer.from('name,city\nJörg,Köln\nZoë,Zürich\n'), latin1('Badä,x')]);
    expect(decodeText(table)).toBe('name,city\nJörg,Köln\nZoë,Zürich\nBad\ufffd,x');
    const marked = Buffer.concat([hex('efbbbf'), table]);
    expect(decodeText(marked)).toBe('name,city\nJörg,Köln\nZoë,Zürich\nBad\ufffd,x');
    const lines = Buffer.concat(
      ['user Jörg is in K', '\nuser Zo', '\ntown M'].map((line) =>
        Buffer.concat([Buffer.from(line), hex('c3')]),
      ),
    );
    expect(decodeText(lines)).toBe('user Jörg is in K\ufffd\nuser Zo\ufffd\ntown M\ufffd');
    const mixed = Buffer.concat([Buffer.from('good utf8 é then bad '), hex('fffe'), Buffer.from(' bytes')]);
    expect(decodeText(mixed)).toBe('good utf8 é then bad \ufffd\ufffd bytes');
  });

  test('leaves short texts of other charsets what they are', () => {
    expect(decodeText(hex('c3b6e4bf'), 'windows-874')).toBe('รถไฟ');
    expect(decodeText(latin1('Die Straße, "groß"'))).toBe('Die Straße, "groß"');
  });

  test('ends lines with a line feed', () => {
    expect(decodeText(latin1('a\r\nb\rc\n'))).toBe('a\nb\nc\n');
  });

  test.each([
    ['a PNG', hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489')],
    ['a zero byte in a text', latin1('text\0more text')],
    ['a zero byte where UTF-16 might have one', latin1('tex\0 and more text')],
    ['control characters', Uint8Array.from({ length: 600 }, (_, index) => (index % 6) + 1)],
    [
      'high and low bytes without zeros',
      Uint8Array.from({ length: 4_000 }, (_, index) => ((index * 73) % 255) + 1),
    ],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeText(bytes)).toThrow(ParseError);
    expect(() => decodeText(bytes)).toThrow(expect.objectContaining({ code: 'E1001' }));
  });
});
