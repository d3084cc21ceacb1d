import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decodeText } from '../../src/ingestion/parsers/charset.js';

const texts = {
  russian:
    'Вчера вечером мы долго говорили о том, как изменится наш город в ближайшие годы, и решили начать с набережной.',
  ukrainian:
    'Учора ввечері ми довго говорили про те, як зміниться наше місто в найближчі роки, і вирішили почати з річки.',
  french:
    'Hier soir, nous avons longuement parlé de l’avenir de la ville : des cafés ouvrent déjà, ça coûtera très cher à tous.',
  german:
    'Gestern haben wir lange darüber gesprochen, wie sich die Stadt verändert: Häuser, Geschäfte, größere Straßen, schöne Plätze.',
  polish:
    'Wczoraj długo rozmawialiśmy o tym, jak zmieni się nasze miasto w najbliższych latach, i postanowiliśmy zacząć od nabrzeża.',
  greek:
    'Χθες το βράδυ μιλήσαμε πολλή ώρα για το πώς θα αλλάξει η πόλη μας τα επόμενα χρόνια και αποφασίσαμε.',
  hebrew: 'אתמול בערב דיברנו זמן רב על איך העיר שלנו תשתנה בשנים הקרובות והחלטנו שהכי טוב להתחיל מהטיילת.',
  arabic:
    'تحدثنا مساء أمس طويلا عن كيفية تغير مدينتنا في السنوات القادمة، وقررنا أن الأفضل هو البدء من الكورنيش.',
  japanese:
    '昨日の夜、私たちの町が今後数年でどのように変わるかについて長い間話し合い、海岸通りから始めるのが一番よいと決めました。',
  chinese:
    '昨天晚上我们谈了很久，谈到我们的城市在未来几年会有怎样的变化，最后决定最好从河边开始。那里已经在盖新房子。',
  korean:
    '어제 저녁 우리는 우리 도시가 앞으로 몇 년 동안 어떻게 변할지 오랫동안 이야기했고 강변부터 시작하기로 했습니다.',
  thai: 'เมื่อวานตอนเย็นเราคุยกันนานเรื่องเมืองของเราจะเปลี่ยนไปอย่างไรในอีกไม่กี่ปีข้างหน้า และตกลงกันว่าควรเริ่มจากริมแม่น้ำก่อน',
} as const;

describe('decodeText', () => {
  test('takes Hebrew among much ASCII for Hebrew, not for Russian', () => {
    const text =
      '<rss><item><title>חדשות חמות מהאתר</title><link>http://example.com/news/</link></item></rss>\n'.repeat(
        3,
      );
    for (const charset of ['win1255', 'iso-8859-8'])
      expect(decodeText(iconv.encode(text, charset))).toBe(text);
  });

  test.each<[keyof typeof texts, string[]]>([
    [
      'russian',
      [
        'win1251',
        'koi8-r',
        'cp866',
        'cp855',
        'iso-8859-5',
        'macCyrillic',
        'utf-16le',
        'utf-16be',
        'utf-32le',
        'utf-32be',
      ],
    ],
    ['ukrainian', ['win1251', 'koi8-u']],
    ['french', ['win1252', 'macroman', 'utf-16le', 'utf-32be']],
    ['german', ['win1252', 'iso-8859-1', 'macroman', 'cp850', 'cp437']],
    ['polish', ['win1250', 'iso-8859-2', 'cp852']],
    ['greek', ['win1253', 'iso-8859-7']],
    ['hebrew', ['win1255', 'iso-8859-8']],
    ['arabic', ['win1256', 'iso-8859-6']],
    ['japanese', ['shiftjis', 'eucjp', 'utf-16be', 'utf-32le']],
    ['chinese', ['gb18030', 'utf-16le']],
    ['korean', ['euckr']],
    ['thai', ['win874']],
  ])('finds the charset of a %s text', (language, charsets) => {
    for (const charset of charsets) {
      const bytes = iconv.encode(texts[language], charset);
      expect([charset, decodeText(bytes)]).toEqual([charset, iconv.decode(bytes, charset)]);
    }
  });

  test('takes short Western texts for what they are, and not those that cannot be', () => {
    const taken = [
      'Ça va?',
      'Où est la gare ?',
      'español mañana',
      'città',
      '½ cup',
      '5 µm',
      'naïve café',
      'è vero',
    ];
    for (const text of taken) expect(decodeText(iconv.encode(text, 'win1252'))).toBe(text);
    for (const text of ['Spotkanie odbędzie się we wtorek.', 'Sastanak je u četvrtak.'])
      expect(decodeText(iconv.encode(text, 'win1250'))).toBe(text);
    for (const text of ['Café', 'größer', '10 m² Fläche', '“windows” encoding', 'señor', 'naïve résumé']) {
      expect(decodeText(iconv.encode(text, 'win1252'))).toBe(text);
    }
  });

  test('reads all of Hangul in what is named euc-kr or looks like it, as Windows and the web do', () => {
    const text = '펲시콜라를 마시는 똠방각하가 뷁이라고 말했다고 합니다.\n';
    const bytes = iconv.encode(text, 'cp949');
    expect(decodeText(bytes, 'euc-kr')).toBe(text);
    expect(decodeText(iconv.encode(`${texts.korean}\n${text}`, 'cp949'))).toBe(`${texts.korean}\n${text}`);
  });

  test('gives any Unicode text back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\u00a1-\u024f\u0391-\u03c9\u0410-\u044f]+$/), (text) => {
        expect(decodeText(Buffer.from(text))).toBe(text);
        expect(decodeText(iconv.encode(text, 'utf-16le', { addBOM: true }))).toBe(text);
        expect(decodeText(iconv.encode(text, 'utf-32be', { addBOM: true }))).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});
