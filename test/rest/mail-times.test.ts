import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

test('an uploaded mail is as old as it says, one without a date has no time', async () => {
  const database = await server.database();
  const mail = (date: string) => `From: ann@x.test\n${date}Subject: Mill\n\nThe mill at Alva is sold.\n`;
  const files = {
    'new.eml': mail('Date: Tue, 3 Nov 2026 23:30:00 -0500\n'),
    'old.eml': mail('Date: Mon, 6 Jan 2020 09:00:00 +0100\n'),
    'undated.eml': mail(''),
  };
  const ids = Object.keys(files).map((id) => ({ id }));
  await server.upload(database, files, { document_metadata: JSON.stringify(ids) });
  await server.idle();
  const listed = await server.rest('POST', '/context/list', { json: { database } });
  const timestamps = listed.body.data.sources.map((each: any) => [each.id, each.timestamp]);
  expect(Object.fromEntries(timestamps)).toMatchObject({
    'new.eml': '2026-11-04T04:30:00.000Z',
    'old.eml': '2020-01-06T08:00:00.000Z',
    'undated.eml': null,
  });
  const asked = { database, query: 'mill at Alva', ids: ['new.eml', 'old.eml'], recency_bias: 1 };
  const found = await server.rest('POST', '/query', { json: asked });
  expect(found.body.data.chunks.map((chunk: any) => chunk.id)).toEqual(['new.eml', 'old.eml']);
});
