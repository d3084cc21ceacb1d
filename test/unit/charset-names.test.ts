import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { decodeText } from '../../src/ingestion/parsers/charset.js';

const cyrillic = ['win1251', 'koi8-r', 'iso-8859-5', 'cp866'];

/** Names and capitalised words: nothing of the prose by which charsets are guessed. */
describe('decodeText of names', () => {
  test.each<[string, string[], string]>([
    ['rows in Cyrillic', cyrillic, 'Имя,Город\nАлександр,Новосибирск\nОльга,Москва\nДмитрий,Казань\n'],
    ['many rows in Cyrillic', cyrillic, `Имя,Город\n${'Александр,Новосибирск\nЮрий,Уфа\n'.repeat(41)}`],
    ['Cyrillic among ASCII', cyrillic, 'id,name,city\n1,Иван,Москва\n2,Пётр,Казань\n3,Анна,Omsk\n'],
    ['Cyrillic capitals', cyrillic, 'ВНИМАНИЕ! ДОГОВОР N 5 ОТ 12 МАЯ'],
    ['two Cyrillic words', cyrillic, 'Иван Петров'],
    ['a Cyrillic name in English', cyrillic, 'The city Москва is Moscow, and Иван is John.'],
    ['a setting', cyrillic, 'name=Сервер\npath=C:\\Data\n'],
    ['Ukrainian rows', ['win1251', 'koi8-u', 'iso-8859-5'], 'Місто,Країна\nКиїв,Україна\nЛьвів,Україна\n'],
    ['Macintosh rows', ['macCyrillic'], 'Имя,Город\nАлександр,Новосибирск\nОльга,Москва\n'],
    [
      'rows in Greek',
      ['win1253', 'iso-8859-7'],
      'Όνομα,Πόλη\nΓιώργος,Θεσσαλονίκη\nΜαρία,Αθήνα\nΆννα,Πάτρα\n',
    ],
    ['Greek capitals', ['win1253', 'iso-8859-7'], 'ΑΘΗΝΑ ΠΑΤΡΑ ΘΕΣΣΑΛΟΝΙΚΗ'],
    ['rows in Hebrew', ['win1255', 'iso-8859-8'], 'שם,עיר\nיעקב,ירושלים\nרחל,חיפה\nאברהם,תל אביב\n'],
    ['rows in Japanese', ['shiftjis'], '名前,都市\n田中,東京\n佐藤,大阪\n'],
    ['rows in Japanese with kana', ['shiftjis', 'eucjp'], 'なまえ,都市\nタナカ,東京\nサトウ,大阪\n'],
    ['rows in Chinese', ['gb18030'], '姓名,城市\n王伟,北京\n李娜,上海\n张敏,广州\n'],
    ['rows in traditional Chinese', ['big5'], '姓名,城市\n陳美玲,臺北\n林志明,高雄\n'],
    ['rows in Korean', ['euckr'], '이름,도시\n김민수,서울\n이영희,부산\n'],
  ])('reads %s', (_name, charsets, text) => {
    for (const charset of charsets)
      expect([charset, decodeText(iconv.encode(text, charset))]).toEqual([charset, text]);
  });

  test.each([
    'Name,Ort\nJürgen,Köln\nBjörn,Düsseldorf\nÖzgür,Zürich\n',
    'Prénom,Ville\nAndré,Orléans\nHélène,Nîmes\nÉlodie,Sète\n',
    'ÉCOLE PRIMAIRE À NÎMES, MÉTÉO',
    'GRÖSSE ÄNDERN, FUSSGÄNGERÜBERGANG',
    'ÄÖÜäöüß',
    'á é í ó ú, áéíóú, ÁÉÍÓÚ',
    'à á â ã ä å æ ç è é ê ë ì í î ï',
    'AÇÃO NÃO CORAÇÃO AVALIAÇÕES',
    'Pão,Maçã\nLimão,Feijão\n',
    'RÄÄKKYLÄ, Jäääär, Töölö, öö ää üü',
    'Þórður Ægisson, Ísafjörður; ÞÓRÐUR ÆGISSON',
    'AFÁIRIS, ÁFRICA, CUÁIT',
    'Crème brûlée déjà créée',
    '10\u00a0000\u00a0€ – «Où?»',
  ])('leaves %j Western', (text) => {
    expect(decodeText(iconv.encode(text, 'win1252'))).toBe(text);
  });

  test.each([
    ['win1250', 'Příjmení;Město\nDvořák;Plzeň\nŽižka;Brno\nČerný;Ústí\n'],
    ['win1254', 'Şehir,Ülke\nİstanbul,Türkiye\nDiyarbakır,Türkiye\nEskişehir,Türkiye\n'],
  ])('takes no words of Latin letters for another alphabet: %s', (charset, text) => {
    expect(decodeText(iconv.encode(text, charset))).not.toMatch(/[\u0370-\u05ff\u3000-\uffef]/);
  });
});
