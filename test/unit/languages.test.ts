import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyze, analyzeQuery } from '../../src/text/analyzer.js';
import { americanSpelling } from '../../src/text/english-spelling.js';
import { detectLanguage } from '../../src/text/languages.js';

const sentences: Readonly<Record<string, string>> = {
  german: 'die versicherungen werden von der gesellschaft nicht bezahlt',
  french: 'les chevaux sont dans la cour avec nous',
  spanish: 'los trabajadores de las empresas no tienen derecho a esta prima',
  italian: 'il contratto non e stato firmato dalla societa che lo ha scritto',
  portuguese: 'os contratos foram assinados pela empresa que nao os escreveu',
  dutch: 'de verzekeringen worden niet door het bedrijf betaald',
  swedish: 'avtalet ar inte undertecknat av bolaget och det kan inte galla',
  danish: 'aftalen blev ikke underskrevet af selskabet hvad nu',
  norwegian: 'avtalen ble ikke underskrevet av selskapet hva na',
  finnish: 'sopimus ei ole voimassa koska se on vanha mutta han on',
  czech: 'smlouvy nebyly podepsany spolecnosti ktera je napsala a to ani pozdeji',
  polish: 'umowy nie zostaly podpisane przez firme ktora je napisala',
  hungarian: 'a szerzodeseket nem irta ala az a ceg amely azokat megirta',
  romanian: 'contractele nu au fost semnate de compania care le a scris',
  turkish: 'bu sozlesmeler daha once bir sirket icin imzalandi',
  english: 'the contracts were not signed by the company that wrote them',
};

test('a Russian word in -ой has the stem of its other forms', () => {
  const stemsOf = (word: string) => [...analyzeQuery(word).secondStems.values()];
  expect(stemsOf('дорогой')).toEqual(stemsOf('дорогая'));
});

describe('detectLanguage', () => {
  test.each(Object.entries(sentences))('knows %s by its frequent words', (language, sentence) => {
    expect(detectLanguage(sentence.split(' '))).toBe(language);
  });

  test.each(['la la land', 'el nino', 'der spiegel', 'die hard', 'vitamin d deficiency', ''])(
    '%s is no sentence, and stays English',
    (text) => expect(detectLanguage(text.split(' '))).toBe('english'),
  );

  test('English with names of another language in it stays English', () => {
    const text = 'the novel of the author de la torre is about a man in el paso and what he did there';
    expect(detectLanguage(text.split(' '))).toBe('english');
  });
});

describe('words of other languages', () => {
  test.each([
    ['Die Krankenhäuser in der Stadt und das Umland', 'Krankenhaus'],
    ['Les chevaux sont dans la cour', 'cheval'],
    ['Los trabajadores de las empresas no tienen prima', 'empresa'],
    ['Новые города России', 'город'],
    ['De contracten worden niet door het bedrijf betaald', 'contract'],
    ['Všechny soubory jsou na disku a nebo v síti', 'soubor'],
    ['Program do edycji plików oraz bibliotek', 'plik'],
    ['Bu kitapları bir çocuk için aldı', 'kitap'],
  ])('"%s" is found by %s, alone as it is', (text, word) => {
    const [term = ''] = analyze(word).slice(-1);
    expect(analyze(text)).toContain(term);
  });

  test('a word is found as it stands, whatever language the text around it has', () => {
    const words = fc.constantFrom(...Object.values(sentences).flatMap((sentence) => sentence.split(' ')));
    fc.assert(
      fc.property(words, fc.constantFrom(...Object.values(sentences)), (word, sentence) => {
        const [term = ''] = analyze(word);
        // Words that carry no topic in the language of the text are left out there.
        const terms = analyze(`${word}feld ${sentence}`);
        expect(terms[0]).toBe(analyze(`${word}feld`)[0]);
        expect(term).not.toBe('');
      }),
    );
  });

  test('one frequent word is enough to stem a text by, and stays: it may belong to a name', () => {
    const terms = ['versicherungen', 'versicher', 'fur', 'hauser', 'haus'];
    expect(analyze('Versicherungen für Häuser')).toEqual(terms);
    expect(analyze('Versicherungen für Häuser', 'index')).toEqual(terms);
    expect(analyze('Versicherungen für Häuser', 'vector')).toEqual(['versicherungen', 'fur', 'hauser']);
  });

  test('only the first words of a long query are parted: each may be in some fifty ways', () => {
    const words = Array.from(
      { length: 40 },
      (_, nth) => `${'wasser'.repeat(8)}${String.fromCharCode(97 + (nth % 26))}${nth < 26 ? 'a' : 'b'}`,
    );
    const { splits, terms } = analyzeQuery(`der und ${words.join(' ')}`);
    expect(terms.length).toBeGreaterThanOrEqual(words.length);
    expect(splits.size).toBe(16);
    expect(Math.max(...[...splits.values()].map((ways) => ways.length))).toBeLessThan(150);
  });

  test('frequent words of the language of a text are left out, those of a title are kept', () => {
    expect(analyze('Das Haus und die Stadt')).toEqual(['haus', 'stadt']);
    expect(analyze('La La Land')).toEqual(['la', 'la', 'land']);
  });
});

test.each([
  ['colour', 'color'],
  ['leukaemia', 'leukemia'],
  ['haemoglobin', 'hemoglobin'],
  ['centres', 'centers'],
  ['defence', 'defense'],
  ['organisation', 'organization'],
  ['four', 'four'],
  ['hours', 'hours'],
  ['contour', 'contour'],
  ['advise', 'advise'],
  ['fence', 'fence'],
])('%s is spelt %s', (written, american) => expect(americanSpelling(written)).toBe(american));
