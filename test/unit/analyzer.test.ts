import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  analyze,
  analyzeQuery,
  analyzeText,
  stem,
  termId,
  termIdMax,
  termVector,
} from '../../src/text/analyzer.js';

describe('analyze', () => {
  test('folds case, drops stop words and stems, in order', () => {
    expect(analyze('The Physicians were EXAMINING patients')).toEqual(['physician', 'examin', 'patient']);
  });

  test.each([
    ['ERR-4042', ['err4042', 'err', '4042']],
    ['10-K', ['10k', '10', 'k']],
    ['2021-01-05', ['2021-01-05', '2021', '1', '5', '2021-01', '--01-05']],
    ['v1.2.3', ['v1.2.3', 'v1', '2', '3']],
    ['foo_bar', ['foo_bar', 'foo', 'bar']],
    ['user@host.com', ['user@host.com', 'user', 'host', 'com']],
    ['C++', ['c++', 'c']],
  ])('keeps %s whole and in parts', (text, terms) => {
    expect(analyze(`(${text}).`)).toEqual(terms);
  });

  test.each([
    ['e-mails', 'emails'],
    ['COVID-19', 'COVID19'],
    ['10-Q', '10Q'],
    ['the U.S. and the U.S.A.', 'US, USA'],
    ['$1,500,000', '1500000'],
    ['§ 12(b)', 'Section 12(b)'],
    ['12.5% growth', '12.5 percent growth'],
    ['tumours of the oesophagus', 'tumor oesophagus'],
    ['organisations', 'organization'],
    ['analyses', 'analysis'],
    ['hypotheses', 'hypothesis'],
  ])('what is written as %s is found as %s', (written, asked) => {
    expect(analyze(written)).toEqual(expect.arrayContaining(analyze(asked).slice(0, 1)));
    expect(analyze(asked)).toEqual(expect.arrayContaining(analyze(written).slice(0, 1)));
  });

  test('a comma between numbers is no mark between thousands', () => {
    expect(analyze('1,2 and 12,3456 and 1,234,56')).toEqual(['1', '2', '12', '3456', '1', '234', '56']);
  });

  test.each([
    ['FY2018', '2018'],
    ['FY18', '2018'],
    ['3Q23', 'Q3 2023'],
    ['Q3FY22', 'Q3 2022'],
    ['H1-2024', 'H1 2024'],
    ['3Q', 'Q3'],
    ['2025E', '2025'],
  ])('%s is found as %s', (written, asked) => {
    expect(analyze(written)).toEqual(expect.arrayContaining([...analyze(asked)]));
  });

  test.each(['H264', 'Q400', 'Q322', '20E'])('%s is no period', (code) => {
    expect(analyze(code)).toEqual([code.toLowerCase()]);
  });

  test('a decimal counts for one word', () => {
    expect(analyzeText('worth 1,557.2 of 20.5', 'index')).toMatchObject({
      terms: ['worth', '1557.2', '1557', '2', '20.5', '20', '5'],
      length: 3,
    });
  });

  test('an overlong code is indexed by its parts only', () => {
    const code = Array.from({ length: 40 }, (_, index) => `x${index}`).join('-');
    expect(analyze(code)).toHaveLength(40);
  });

  test.each([
    ['café ﬁne Łódź Straße', 'cafe fine lodz strasse'],
    ['Ünïcode ＡＢＣ', 'unicode abc'],
    ['l’avion', "l'avion"],
  ])('%s and %s are the same terms', (one, other) => {
    expect(analyze(one)).toEqual(analyze(other));
  });

  test('behind an elided article stands a word of its own', () => {
    expect(analyze("l'avion")).toEqual(expect.arrayContaining([...analyze('avion')]));
    expect(analyze("don't")).toEqual(analyze('dont'));
  });

  test('segments scripts without spaces and keeps the marks that are letters there', () => {
    expect(analyze('東京都に住んでいます')).toEqual(expect.arrayContaining(['東京', '都']));
    expect(analyze('人工智能研究所')).toEqual(expect.arrayContaining([...analyze('研究')]));
    expect(analyze('サーバーのエラー')).toEqual(['サーバー', 'の', 'エラー']);
    expect(analyze('น้ำมัน')).toEqual(['น้ำมัน']);
  });

  test('what is not seen parts no word, and every hyphen is one', () => {
    for (const sign of ['\u00ad', '\u200b', '\u200d', '\u200e', '\u2060', '\ufeff', '\ufe0f'])
      expect(analyze(`pay${sign}roll com${sign}pli${sign}ance`)).toEqual(analyze('payroll compliance'));
    expect(analyze('e\u2011mail QX\u20107781')).toEqual(analyze('e-mail QX-7781'));
    // In Persian the non-joiner ends a word; elsewhere it only says how letters look.
    expect(analyze('می\u200cخواهم')).toEqual(analyze('می خواهم'));
    expect(analyze('क्\u200cष')).toEqual(analyze('क्ष'));
  });

  test.each([
    ['서울은', '서울'],
    ['대한민국의', '대한민국'],
    ['대한민국의', '한민'],
    ['도서관에서', '도서관'],
    ['집에서', '집'],
    ['학생들이', '학생'],
    ['공부했다', '공부'],
    ['AI는', 'ai'],
    ['e-mail로', 'email'],
  ])('%s is found by %s', (text, part) => {
    expect(analyze(text, 'index')).toContain(part);
  });

  test('a word of two syllables keeps both, and is its own pair', () => {
    expect(analyze('나는 나이 어린이')).toEqual(['나는', '나이', '어린이', '어린']);
  });

  test('a megabyte of unspaced text takes linear time', () => {
    const startedAt = performance.now();
    analyze('ภาษาไทย'.repeat(50_000));
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });

  test.each([
    ['Shipped 🎉🎉!', ['ship', '🎉', '🎉']],
    ['👩‍💻 👍🏽 ❤️ 🇩🇪🇫🇷', ['👩', '💻', '👍', '❤', '🇩🇪', '🇫🇷']],
    ['❤ ❤︎', ['❤', '❤']],
    ['© 2024 ® Acme™ – →', ['2024', 'acmetm']],
  ])('an emoji is a word of its own, in the plain form: %s', (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  test('keeps stop words when there is nothing else', () => {
    expect(analyze('to be or not')).toEqual(['to', 'be', 'or', 'not']);
    expect(analyze('to be a physician')).toEqual(['physician']);
    expect(analyze(' ,. ')).toEqual([]);
  });

  test.each([
    ['$1.5 million', '1500000'],
    ['1,500,000 USD', '1500000'],
    ['USD 1.5m', '1500000'],
    ['1.5M EUR', '1500000'],
    ['£48m', '48000000'],
    ['$1,240 million', '1240000000'],
    ['1.24bn dollars', '1240000000'],
    ['$6.5k', '6500'],
    ['two and 3 thousand', '3000'],
  ])('%s is found by its digits too', (text, digits) => {
    expect(analyzeText(text, 'index').terms).toContain(digits);
    expect(analyze(text, 'query')).toContain(digits);
  });

  test('what is no amount is none, and one counts for no word of the length', () => {
    for (const text of ['5 m long', '12 km', 'M5 1.5m', 'v1.5 million'])
      expect(analyze(text, 'index').filter((term) => /^\d{4,}$/.test(term))).toEqual([]);
    expect(analyzeText('$12 million', 'index').length).toBe(2);
    expect(analyze('$12 million', 'vector')).toEqual(['12', 'million']);
  });

  test('the first person is found by, for no word of the length, where words are to be found', () => {
    const text = "I think our cat likes my sofa; I'll see, I've time";
    const { terms, length } = analyzeText(text, 'index');
    expect(terms.filter((term) => term === 'i' || term === 'we')).toEqual(['i', 'we', 'i', 'i', 'i']);
    expect(length).toBe(terms.length - 5);
    expect(analyze(text)).not.toContain('i');
    expect(analyze(text, 'vector')).not.toContain('i');
    expect(analyzeQuery('my cat').beside).toEqual(new Set(['i']));
    expect(analyzeText('Who am I', 'index').terms).toEqual(['who', 'am', 'i']);
    expect(analyzeText('Kot i pies, dom i ogród nie są dla mnie', 'index').terms).not.toContain('we');
  });

  test.each(['(i) rent and (ii) tax', 'ARTICLE I', 'i. rent\nii. tax', 'Type I error'])(
    'nobody speaks in the number of %s',
    (text) => {
      expect(analyzeText(text, 'index').terms).not.toContain('i');
      expect(analyzeText(`${text}, I think`, 'index').terms.filter((term) => term === 'i')).toHaveLength(1);
    },
  );

  test.each([
    ["User: I like my cat\nAssistant: I'd help. I'm here, and we see\nUser: my dog", 3],
    ['[9:14 am on 2 May] Assistant: I suggest my own favourite', 0],
    ['[2023/05/20 (Sat) 02:21] assistant: I suggest my own favourite', 0],
    ['2023/05/20 (Sat) 02:21 assistant: I suggest my own favourite', 0],
    ['2023-05-20T02:21:00Z assistant: I do\n2023-05-20 user: I travel', 1],
    ['Assistant: I do\n1. **Budget**: I would', 0],
    ['role: user; content: I travel\nrole: assistant; content: I do too', 1],
    ['That is what I suggest.\n\n**Human:** my cat\n\n**AI:** I see', 1],
    ['Anna: I travel\nBot Ross: I paint', 2],
    ['I know what an assistant: says\nand I say it', 2],
    ['Maya: I rent it\nAssistant: (i) we may help\nMaya: my flat', 2],
  ])('an assistant is not the first person of whoever asks: %s', (text, spoken) => {
    const persons = analyzeText(text, 'index').terms.filter((term) => term === 'i' || term === 'we');
    expect(persons).toHaveLength(spoken);
  });

  test('is the same whatever the case, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aBc dÉ-_.'1#+@") }), (text) => {
        expect(analyze(text.toUpperCase())).toEqual(analyze(text.toLowerCase()));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(analyze(text))));
  });
});

test('stem joins inflections and leaves codes alone', () => {
  expect(new Set(['connect', 'connected', 'connecting', 'connections'].map(stem)).size).toBe(1);
  expect(stem('abc123s')).toBe('abc123s');
});

describe('irregular English forms', () => {
  test('stand beside the stem of their word, and count for one word', () => {
    expect(analyze('bought', 'index')).toEqual(['bought', 'buy']);
    expect(analyzeText('mice broke', 'index')).toMatchObject({
      terms: ['mice', 'mous', 'broke', 'break'],
      length: 2,
    });
    const { terms, secondStems } = analyzeQuery('who broke it');
    expect([terms, [...secondStems]]).toEqual([['broke', 'break'], [['broke', 'break']]]);
  });

  test('that are words of their own stand beside it in what is to be found only', () => {
    expect(analyze('rose', 'index')).toEqual(['rose', 'rise']);
    expect(analyze('rose')).toEqual(['rose']);
  });

  test.each([
    ['added', 'add'],
    ['sued', 'sue'],
    ['refinanced', 'refinance'],
    ['experienced', 'experience'],
    ['embedded', 'embed'],
    ['menus', 'menu'],
    ['lenses', 'lens'],
    ['crises', 'crisis'],
  ])('are those too that only the stemmer makes irregular: %s', (form, base) => {
    expect(analyze(form)).toContain(stem(base));
    expect(analyze(form, 'index')).toContain(stem(base));
  });

  test('are words like others to vectors, and in other languages', () => {
    expect(analyze('bought', 'vector')).toEqual(['bought']);
    expect(analyze('der Mann hat den Hund nicht mit dem Wort lit gesehen', 'index')).not.toContain('light');
  });
});

describe('term ids and vectors', () => {
  test('ids are stable and within the dimensions of a sparsevec', () => {
    fc.assert(
      fc.property(fc.string(), (term) => {
        const id = termId(term);
        return Number.isInteger(id) && id >= 1 && id <= termIdMax && id === termId(term);
      }),
    );
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
    expect(new Set(words.map(termId)).size).toBeGreaterThan(19_990);
  });

  test('ids ascend, are unique, and their counts add up to the length', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')), (terms) => {
        const { ids, counts, length } = termVector(terms);
        expect([...ids]).toEqual([...new Set(terms.map(termId))].sort((a, b) => a - b));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(length);
        for (const [index, id] of ids.entries()) {
          expect(counts[index]).toBe(terms.filter((term) => termId(term) === id).length);
        }
      }),
    );
  });
});
