// Words of languages other than English, found over REST by their forms.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

const texts: Readonly<Record<string, string>> = {
  tower: 'Die Pumpe hebt das Wasser in den Turm, aus dem es in die Häuser fließt.',
  insurance: 'Die Gesellschaft hat die Versicherung nicht bezahlt, und der Vertrag ist beendet.',
  files: 'Knihovna pro čtení souboru, který je na disku nebo v síti.',
  program: 'Program do oglądania plików graficznych, który jest oraz będzie wolny.',
  meeting: 'De vergadering is verplaatst naar maandag, omdat de directeur niet aanwezig kan zijn.',
  books: 'Bu kitap bir çocuk için yazıldı ve daha sonra filme alındı.',
  library: '이 라이브러리는 압축된 소리를 재생하는 함수를 제공합니다.',
  sound: '소리를 크게 듣는 방법을 설명하는 글입니다.',
};

const compounds: Readonly<Record<string, string>> = {
  compound: 'Informationssysteme für Krankenhäuser werden geprüft.',
  parts: 'Ein System für die Information der Bürger.',
  part: 'Das Datenbank System ist schnell; die Daten liegen in der Bank.',
  others: 'Der Beitrag zur Rente steigt.',
};

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const memories = Object.entries(texts).map(([id, text]) => ({ id, text, infer: false }));
  expect((await server.remember(database, memories)).status).toBe(202);
});
afterAll(async () => server.stop());

test.each([
  ['words that a German compound is made of', 'Was ist der Wasserturm', 'tower'],
  ['a German word, by one frequent word of the query', 'Versicherungen für Firmen', 'insurance'],
  ['a Czech noun in another case', 'soubory nebo disky', 'files'],
  ['Polish words in other cases', 'graficzny plik dla nas', 'program'],
  ['a Turkish noun in the plural', 'kitaplar ile filmler', 'books'],
  ['a German word alone', 'Versicherungen', 'insurance'],
  ['a German compound alone', 'Gesellschaftsvertrag', 'insurance'],
  ['a Dutch word alone', 'vergaderingen', 'meeting'],
  ['a Turkish word alone', 'kitaplar', 'books'],
  ['Korean words with other particles', '라이브러리가 재생하는 소리', 'library'],
])('%s', async (_, query, id) => {
  const json = { database, type: 'memory', query, query_by: 'text' };
  const answer = await server.rest('POST', '/query', { json });
  expect(answer.body.data.chunks.map((chunk: any) => chunk.id)[0]).toBe(id);
});

test('the text that has a compound of the query comes before those that have its parts', async () => {
  const other = await server.database();
  await server.remember(
    other,
    Object.entries(compounds).map(([id, text]) => ({ id, text, infer: false })),
  );
  const json = { database: other, type: 'memory', query: 'das Informationssystem', query_by: 'text' };
  const { body } = await server.rest('POST', '/query', { json });
  expect(body.data.chunks.map(({ id }: { id: string }) => id)[0]).toBe('compound');
});
