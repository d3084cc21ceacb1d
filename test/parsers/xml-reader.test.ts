import { describe, expect, test } from '@jest/globals';
import { readXml, streamChildren, streamXml, textOf } from '../../src/ingestion/parsers/xml/reader.js';

describe('the reader of XML', () => {
  test('knows names without prefixes, and passes over what is wrong', () => {
    const root = readXml('<a:x b:id="1" id="2" r:k="3">t&amp;<c>u<![CDATA[<>]]><b>v</c>é');
    expect(root.attributes).toMatchObject({ 'b:id': '1', id: '2', k: '3' });
    expect(textOf(root)).toBe('t&u<>vé');
  });

  test('takes an ampersand that begins no entity for itself, wherever the file is cut', () => {
    const said = (text: string) => readXml(`<a b="C&D">${text}</a>`);
    expect(said('Tom & Jerry<c>x;</c>').attributes.b).toBe('C&D');
    expect(said('Tom & Jerry<c>x;</c>').children).toMatchObject([
      'Tom & Jerry',
      { name: 'c', children: ['x;'] },
    ]);
    expect(textOf(said('R&D; &#65;&lt; &<![CDATA[1 & 2;]]> & <!-- & -->&'))).toBe('R&D; A< &1 & 2; & &');
    for (let before = 131_050; before < 131_075; before += 1) {
      const source = Buffer.from(`<a>${'x'.repeat(before)}P &amp; Q & R<![CDATA[S & T]]> &</a>`);
      expect(textOf(readXml(source)).slice(before)).toBe('P & Q & RS & T &');
    }
  });

  test('reads UTF-16 and old charsets', () => {
    const utf16 = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é漢</a>', 'utf16le');
    const latin1 = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1');
    expect(textOf(readXml(utf16))).toBe('é漢');
    expect(textOf(readXml(latin1))).toBe('é');
  });

  describe('entities', () => {
    const read = (declarations: string, text: string) =>
      textOf(readXml(`<!DOCTYPE a [${declarations}]><a>${text}</a>`));

    test('are read where the document declares them', () => {
      const declarations =
        '<!ENTITY co "ACME <b>Corporation</b>"><!-- <!ENTITY old "gone"> --><!ENTITY by \'By &co; &#38; &#x53;ons\'><!ENTITY co "Other">';
      expect(read(declarations, 'x &by;, &co;; &old; &amp;')).toBe(
        'x By ACME Corporation & Sons, ACME Corporation; &old; &',
      );
    });

    test('that are external, unknown, of XML itself or within themselves are not', () => {
      const declarations =
        '<!ENTITY y SYSTEM "file:///etc/passwd"><!ENTITY % p "q"><!ENTITY lt "less"><!ENTITY r "r&r;"><!ENTITY s "&t;"><!ENTITY t "&s;">';
      expect(read(declarations, '&y;&p;&lt;&r;')).toBe('&y;&p;<r&r;');
      expect(read(declarations, '&s;').length).toBeLessThan(10);
    });

    test('grow by no more than a text of their kind', () => {
      const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
      expect(read(`<!ENTITY l0 "ha">${laughs.join('')}`, '&l9;').length).toBeLessThan(20_000);
      expect(read(`${laughs.reverse().join('')}<!ENTITY l0 "ha">`, '&l9;').length).toBeLessThan(20_000);
      const long = 'x'.repeat(9_000);
      const text = read(`<!ENTITY x "${long}">`, '&x;'.repeat(1_000));
      expect([text.length < 1_010_000, text.startsWith(long), text.endsWith('&x;')]).toEqual([
        true,
        true,
        true,
      ]);
    });
  });

  test('hands over children one by one', () => {
    const taken: string[] = [];
    streamChildren('<d><body><p>1</p><p>2<body><q/></body></p></body><p>3</p></d>', 'body', (child) =>
      taken.push(textOf(child)),
    );
    expect(taken).toEqual(['1', '2']);
  });

  test('closes what is open at the end', () => {
    const closed: string[] = [];
    streamXml('<a><b>', { close: (name) => closed.push(name) });
    expect(closed).toEqual(['b', 'a']);
  });

  test.each([
    ['no element', 'words'],
    ['depth', '<a>'.repeat(1_000)],
    ['mistakes', `<a>${'<b c/>'.repeat(5_000)}`],
  ])('refuses %s', (_what, source) =>
    expect(() => readXml(source)).toThrow(expect.objectContaining({ code: 'E1001' })),
  );
});
