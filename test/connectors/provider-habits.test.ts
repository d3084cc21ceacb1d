import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import type { ConnectedOptions } from '../support/connectors/connected.js';
import { startGithubFake } from '../support/connectors/github-fake.js';
import type { GithubFake } from '../support/connectors/github-fake.js';
import { JiraFake } from '../support/connectors/jira-fake.js';
import { startS3Fake } from '../support/connectors/s3-fake.js';
import type { S3Fake } from '../support/connectors/s3-fake.js';
import { day, hour } from '../support/connectors/scripted-server.js';
import { ScriptedImap } from '../support/connectors/scripted-imap.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let jira: JiraFake;
let s3: S3Fake;
let github: GithubFake;

beforeAll(async () => {
  [jira, s3, github] = [await JiraFake.start(), await startS3Fake(), await startGithubFake()];
  server = await TestServer.start({
    environment: {
      CONNECTORS_ALLOW_PRIVATE: '1',
      CONNECTOR_JIRA_URL: jira.baseUrl,
      CONNECTOR_GITHUB_URL: github.baseUrl,
    },
  });
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000);
});
afterEach(async () => {
  const { body } = await server.rest('GET', '/connectors');
  for (const { connector_id: id } of body.connectors) await server.rest('DELETE', `/connectors/${id}`);
});
afterAll(async () => {
  await server?.stop();
  await jira?.close();
  await s3?.close();
  await github?.close();
});

const connect = async (options: Omit<ConnectedOptions, 'database'>): Promise<Connected> => {
  const connected = await Connected.make(server, { database: await server.database(), ...options });
  await server.idle();
  return connected;
};
const found = async ({ database }: Connected, query: string): Promise<string[]> => {
  const json = { database, query, query_by: 'text' };
  const { body } = await server.rest('POST', '/query', { json });
  return body.data.chunks.map(({ id }: { id: string }) => id);
};

test('a mail that its owner has deleted goes, though it stays in the mailbox, marked as deleted', async () => {
  const imap = await ScriptedImap.start();
  const date = new Date(server.clock.now().getTime() - hour * 1000).toUTCString();
  const mails = ['kept', 'deleted'];
  const texts = mails.map((name) => `Message-ID: <${name}@b>\r\nSubject: ${name}\r\n\r\nAbout a zebra\r\n`);
  const [, dayOfMonth, month, year, time] = date.split(' ');
  const headOf = (index: number) =>
    `INTERNALDATE "${dayOfMonth}-${month}-${year} ${time} +0000" ENVELOPE ("${date}" "${mails[index]}" NIL NIL NIL NIL NIL NIL NIL "<${mails[index]}@b>")`;
  const mark = (...flags: string[]) =>
    void (imap.answers['UID FETCH 1,2 (UID FLAGS ENVELOPE'] = flags
      .map((flag, index) => `* ${index + 1} FETCH (UID ${index + 1} FLAGS (${flag}) ${headOf(index)})`)
      .join('\r\n'));
  imap.answers = {
    CAPABILITY: '* CAPABILITY IMAP4rev1',
    'LIST "" ""': '* LIST (\\Noselect) "." ""',
    LIST: '* LIST () "." INBOX',
    EXAMINE: '* 2 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 3] next',
    'UID SEARCH': '* SEARCH 1 2',
  };
  texts.forEach((text, index) => {
    imap.answers[`UID FETCH ${index + 1} (UID BODYSTRUCTURE`] =
      `* ${index + 1} FETCH (UID ${index + 1} ${headOf(index)} BODY[HEADER.FIELDS (REFERENCES)] {2}\r\n\r\n BODY[] {${text.length}}\r\n${text})`;
  });
  mark('\\Seen', '');
  const connected = await connect({
    provider: 'imap',
    credentials: imap.credentials,
    resources: ['INBOX'],
  });
  const ids = mails.map((name) => expect.stringMatching(`:${name}(?:@|%40)b$`));
  expect(await connected.ids()).toEqual([ids[1], ids[0]]);
  mark('\\Seen', '\\Seen \\Deleted');
  await connected.pass(day + hour);
  expect(await connected.ids()).toEqual([ids[0]]);
  expect(await found(connected, 'zebra')).toEqual([ids[0]]);
  imap.close();
});

test('an object that is stored compressed is found by its words', async () => {
  await s3.put('site/index.html', gzipSync('<html><body><p>The okapi is shy.</p></body></html>'), 'gzip');
  const connected = await connect({
    provider: 's3',
    credentials: s3.credentials,
    resources: ['papers/site'],
  });
  expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
  expect(await found(connected, 'okapi')).toEqual(['s3:papers/site/index.html']);
});

test('a bucket is read although our clock is off by more than the store takes', async () => {
  const aheadMs = 20 * 60_000;
  const store = createServer((request, response) => {
    const now = Date.now() + aheadMs;
    const signed = String(request.headers['x-amz-date']).replace(
      /^(....)(..)(..T..)(..)(..Z)$/,
      '$1-$2-$3:$4:$5',
    );
    const isSkewed = Math.abs(Date.parse(signed) - now) > 15 * 60_000;
    response.setHeader('date', new Date(now).toUTCString()).setHeader('content-type', 'application/xml');
    if (isSkewed)
      return response
        .writeHead(403)
        .end(
          '<Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message></Error>',
        );
    if (request.url?.includes('list-type=2'))
      return response.end(`<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a.txt</Key>
        <LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"1"</ETag><Size>9</Size></Contents></ListBucketResult>`);
    if (request.url?.startsWith('/papers/a.txt')) return response.setHeader('etag', '"1"').end('An okapi.');
    return response.end('<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>');
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const connected = await connect({
    provider: 's3',
    credentials: { ...s3.credentials, endpoint },
    resources: ['papers'],
  });
  expect(await found(connected, 'okapi')).toEqual(['s3:papers/a.txt']);
  store.closeAllConnections();
  store.close();
});

test('a project that Jira does not show for a while is looked for again, whatever language says so', async () => {
  await jira.add(1, 'zebra');
  const connected = await connect({ provider: 'jira', credentials: jira.credentials, resources: ['OPS'] });
  expect(await found(connected, 'zebra')).toHaveLength(1);
  jira.unknownProject = (project) => `Der Wert „${project}“ ist für das Feld „Projekt“ nicht vorhanden.`;
  const projects = jira.projects.splice(0);
  await connected.pass(2 * hour);
  expect(await connected.status()).toMatchObject({
    lifecycle: 'active',
    resources: [{ retryable: true, message: expect.stringContaining('does not find') }],
  });
  jira.projects.push(...projects);
  await jira.add(1, 'okapi');
  await connected.pass(2 * hour);
  expect(await found(connected, 'okapi')).toHaveLength(1);
});

test('a file that was renamed in its repository is found once, and one that was removed not at all', async () => {
  for (const path of ['README.md', 'docs/a.md', 'docs/b.md'])
    github.push(path, `The okapi of ${path.replace(/\W/g, ' ')}`);
  const { credentials, resource } = github;
  const connected = await connect({ provider: 'github', credentials, resources: [resource.id] });
  expect(await found(connected, 'okapi')).toHaveLength(3);
  github.push('docs/a.md', undefined);
  github.push('docs/c.md', 'The okapi of docs a md');
  github.push('docs/b.md', undefined);
  await connected.pass(2 * hour);
  const ids = ['github:acme/web/blob/README.md', 'github:acme/web/blob/docs/c.md'];
  expect(await connected.ids()).toEqual(ids);
  expect((await found(connected, 'okapi')).sort()).toEqual(ids);
});

test('sync_mode new_only keeps what its provider reports as gone, but not what fewer people may see now', async () => {
  github.push('docs/kept.md', 'The okapi is kept');
  const sources = [
    { provider: 'github', credentials: github.credentials, id: github.resource.id },
    { provider: 'jira', credentials: jira.credentials, id: 'OPS' },
  ];
  const [key = ''] = await jira.add(1, 'zebra');
  const [files, issues] = await Promise.all(
    sources.map(({ id, ...source }) =>
      connect({ ...source, resources: [{ resource_id: id, sync_mode: 'new_only' }] }),
    ),
  );
  github.push('docs/kept.md', undefined);
  jira.touch(key, { security: { name: 'Board' } });
  expect(await issues?.ids()).toContain(`jira:${key}`);
  await files?.pass(2 * hour);
  expect(await files?.ids()).toContain('github:acme/web/blob/docs/kept.md');
  expect(await issues?.ids()).not.toContain(`jira:${key}`);
});
