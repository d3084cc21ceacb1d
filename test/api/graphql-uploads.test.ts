import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const query = `mutation ($input: IngestInput!, $documents: [Upload!]) {
  ingest(input: $input, documents: $documents) { results { id status } }
}`;
/** Far more than what is on its way: a part of this size that nobody reads blocks the rest. */
const large = 'words '.repeat(1_000_000);

type Part = readonly [name: string, content: string, more?: string];
const file = (name: string, content: string): Part => [name, content, '; filename="a.txt"'];
const map = (places: object): Part => ['map', JSON.stringify(places)];
const operations = (documents: unknown[]): Part => [
  'operations',
  JSON.stringify({ query, variables: { input: { database }, documents } }),
];
const send = async (...parts: readonly Part[]) => {
  const raw = parts.map(
    ([name, content, more = '']) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`,
  );
  const answer = await server.rest('POST', '/graphql', {
    raw: `${raw.join('')}--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  return [answer.status, answer.body.errors?.[0].message ?? answer.body.data.ingest.results];
};

describe('a multipart request', () => {
  const first = { 0: ['variables.documents.0'] };

  test('of two parts of one name is refused, however large they are', async () => {
    const refused = [400, '0 must be the name of one part, not of two'];
    expect([
      await send(operations([null]), map(first), file('0', 'small'), file('0', large)),
      await send(operations([null]), map(first), file('0', large), file('0', 'small')),
      await send(operations([null]), map(first), file('0', large), file('0', large)),
    ]).toEqual([refused, refused, refused]);
    expect(await send(operations([null]), map(first), map(first), file('0', 'x'))).toEqual([
      400,
      'map must be the name of one part, not of two',
    ]);
  });

  test('whose parts are not those of its map is refused', async () => {
    expect([
      await send(operations([null]), map(first), file('0', 'small'), file('1', large)),
      await send(operations([null]), map(first), file('1', large), file('0', 'small')),
      await send(operations([]), map({}), file('0', large)),
      await send(operations([null]), map(first)),
      await send(operations([null, null]), map({ ...first, 1: ['variables.documents.1'] }), file('0', large)),
    ]).toEqual([
      [400, 'map must name "1", a part that was sent'],
      [400, 'map must name "1", a part that was sent'],
      [400, 'map must name "0", a part that was sent'],
      [400, 'map names "0", a part that was not sent'],
      [400, 'map names "1", a part that was not sent'],
    ]);
  });

  test('whose map puts files nowhere, or two at one place, is refused', async () => {
    const both = [file('0', large), file('1', large)];
    expect([
      await send(operations([null]), map({ 0: [] }), file('0', large)),
      await send(operations([null]), map({ 0: ['variables.none.0'] }), file('0', large)),
      await send(operations([null]), map({ 0: ['variables.documents.1'] }), file('0', large)),
      await send(operations([null]), map({ ...first, 1: ['variables.documents.0'] }), ...both),
      await send(operations([null]), map({ ...first, 1: ['variables.documents.0.x'] }), ...both),
    ]).toEqual([
      [400, 'map must name a place in operations for "0"'],
      [400, 'map must name a place in operations for "0"'],
      [400, 'map must name a place in operations for "0"'],
      [400, 'map must put one file at each place, not two at 0'],
      [400, 'map must name a place in operations for "1"'],
    ]);
  });

  test('whose parts come in another order, or are not UTF-8, is refused', async () => {
    const latin1 = `--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query": "# caf\xe9"}\r\n--x--\r\n`;
    const answer = await server.rest('POST', '/graphql', {
      raw: new Uint8Array(Buffer.from(latin1, 'latin1')),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect([
      [answer.status, answer.body.errors[0].message],
      await send(map(first), operations([null]), file('0', large)),
      await send(operations([null]), file('0', large), map(first)),
      await send(operations([null])),
      await send(file('0', large)),
    ]).toEqual([
      [400, 'operations must be UTF-8'],
      [400, 'map must follow operations'],
      [400, 'map must stand before the files'],
      [400, 'map must be sent'],
      [400, 'map must stand before the files'],
    ]);
  });

  test('that is no such request is refused', async () => {
    expect([
      await send(operations([null]), operations([null])),
      await send(operations([null]), ['map', '["0"]']),
      await send(operations([null]), ['map', '{"0": "variables.documents.0"}']),
      await send(),
    ]).toEqual([
      [400, 'operations must be the name of one part, not of two'],
      [400, 'map must be an object that names the place of each part'],
      [400, 'map must have a list of places for each part'],
      [400, 'operations must be sent'],
    ]);
  });

  test('is read where its operations say that they are JSON, and leaves nothing behind', async () => {
    const [name, content] = operations([null]);
    const json: Part = [name, content, '\r\nContent-Type: application/json'];
    expect(await send(json, map(first), file('0', large))).toEqual([
      200,
      [{ id: expect.any(String), status: 'queued' }],
    ]);
    expect(readdirSync(join(server.dataDir, 'incoming'))).toEqual([]);
  });
});
