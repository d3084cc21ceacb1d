import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROVIDERS } from '../../src/connectors/providers.js';
import { FAKED_PROVIDERS } from '../support/connectors/faked-providers.js';
import { startCutOffProxy } from '../support/connectors/cut-off-proxy.js';
import { JsonFake } from '../support/connectors/json-fake.js';
import type { ProviderFake } from '../support/connectors/provider-fake.js';
import { noSignal, openFake, readAll, scopeOf, textOf } from '../support/connectors/reading.js';

test('every provider has a fake', () => {
  const faked = FAKED_PROVIDERS.map(({ provider }) => provider.id);
  expect(PROVIDERS.map(({ id }) => id)).toEqual(faked);
});

// A machine without a mail server can test the rest; CI has everything.
const skipped = FAKED_PROVIDERS.filter(
  ({ problem }) => problem !== undefined && process.env['CI'] !== 'true',
);
for (const { provider, problem } of skipped)
  describe.skip(provider.id, () => test(`${problem}`, () => undefined));

const tested = FAKED_PROVIDERS.filter((faked) => !skipped.includes(faked));
describe.each(tested.map((faked) => [faked.provider.id, faked] as const))('%s', (_id, faked) => {
  const { provider, manyObjects } = faked;
  let fake: ProviderFake;
  let opened: ReturnType<typeof openFake>;
  let ids: string[];

  beforeAll(async () => {
    const started = await faked.start();
    if (!started) throw new Error(`what ${provider.id} is tried against is not installed`);
    fake = started;
    opened = openFake(provider, fake);
  });
  afterAll(async () => {
    await opened?.close();
    await fake?.close();
  });

  const read = (from = '') => readAll((cursor) => opened.session.read(scopeOf(fake), cursor, noSignal), from);
  /** All that a sync with its daily walk shows. */
  const walk = () =>
    readAll((cursor) =>
      (opened.session.walk ?? opened.session.read).call(opened.session, scopeOf(fake), cursor, noSignal),
    );
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('accepts its credentials and rejects others', async () => {
    await opened.session.check(noSignal);
    if (!fake.wrongCredentials) return;
    const wrong = openFake(provider, fake, fake.wrongCredentials);
    const error = await failure(wrong.session.check(noSignal));
    await wrong.close();
    expect(error).toMatchObject({
      name: 'ProviderError',
      kind: expect.stringMatching(/^(credentials|reauth)$/),
    });
  });

  test('its schemas refuse keys that they do not know', () => {
    expect(provider.credentials.safeParse({ ...fake.credentials, surprise: 1 }).success).toBe(false);
    expect(provider.filters.safeParse({ surprise: 1 }).success).toBe(false);
  });

  test('discovers its resources page by page, and describes each', async () => {
    const found = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await opened.session.discover({ cursor, limit: 1 }, noSignal);
      expect(page.resources.length).toBeLessThanOrEqual(1);
      found.push(...page.resources);
      cursor = page.nextCursor;
    }
    const described = await opened.session.describe(fake.resource.id, noSignal);
    expect(described).toMatchObject({ id: fake.resource.id, type: fake.resource.type });
    expect(described.name).not.toBe('');
    if (found.length > 0) expect(found.map(({ id }) => id)).toContain(fake.resource.id);
  });

  test('says that it cannot go on discovering at a cursor of somebody else, where it looks at them', async () => {
    for (const cursor of ['Zm9yZWlnbg==', 'folders:Zm9yZWlnbg==', '{"at":1}']) {
      const error = await opened.session
        .discover({ cursor, limit: 1 }, noSignal)
        .catch((each: unknown) => each);
      if (error instanceof Error) expect(error).toMatchObject({ name: 'ProviderError', kind: 'expired' });
    }
  });

  test('says that a resource is missing', async () => {
    if (fake.missingResourceId === undefined) return;
    const error = await failure(opened.session.describe(fake.missingResourceId, noSignal));
    expect(error).toMatchObject({ kind: expect.stringMatching(/^(missing|refused)$/) });
  });

  test('reads an empty resource', async () => {
    expect(await read()).toMatchObject({ entries: [], deleted: [] });
  });

  test('takes JSON of somebody else for an outage, not for an empty resource', async () => {
    if (fake.baseUrl === undefined) return;
    const proxy = new JsonFake(
      () => ({ body: {} }),
      () => ({ body: {} }),
    );
    await proxy.listen();
    const { session, close } = openFake(provider, { ...fake, baseUrl: proxy.url }, fake.credentials);
    expect(await failure(session.read(scopeOf(fake), '', noSignal))).toBeInstanceOf(Error);
    if (session.walk) expect(await failure(session.walk(scopeOf(fake), '', noSignal))).toBeInstanceOf(Error);
    await close();
    await proxy.close();
  });

  test('reads everything in pages, each object once, with its text', async () => {
    ids = await fake.add(manyObjects, 'zebra');
    const { entries, pages } = await read();
    expect(pages.length).toBeGreaterThan(2);
    expect(entries.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const item = await entries[0]?.load(noSignal);
    expect(await textOf(item)).toContain('zebra');
    expect(item?.timestamp ?? '').toMatch(/^$|^\d{4}-\d\d-\d\dT/);
    expect(Object.keys(item?.native ?? {}).every((key) => provider.filterableFields.includes(key))).toBe(
      true,
    );
  });

  test('takes JSON of somebody else for an outage in the middle of a walk too', async () => {
    if (fake.baseUrl === undefined) return;
    const { entries } = await walk();
    for (let passed = 1; passed <= 6; passed += 1) {
      const proxy = await startCutOffProxy(fake.baseUrl, passed);
      const { session, close } = openFake(provider, { ...fake, baseUrl: proxy.url }, fake.credentials);
      const ask = (session.walk ?? session.read).bind(session, scopeOf(fake));
      const walked = await readAll((cursor) => ask(cursor, noSignal)).catch((error: unknown) => error);
      await close();
      await proxy.close();
      if (walked instanceof Error) continue;
      // It needed no more requests than were passed on.
      expect(walked).toMatchObject({ entries: { length: entries.length } });
    }
  });

  test('goes on from any page, in another process', async () => {
    const { pages, entries } = await read();
    for (const [index, page] of pages.entries()) {
      const resumed = openFake(provider, fake);
      const rest = page.more
        ? await readAll((cursor) => resumed.session.read(scopeOf(fake), cursor, noSignal), page.cursor)
        : { entries: [] };
      await resumed.close();
      const before = pages.slice(0, index + 1).flatMap((each) => each.entries);
      const shown = new Set([...before, ...rest.entries].map(({ id }) => id));
      expect([...shown].sort()).toEqual(entries.map(({ id }) => id).sort());
    }
  });

  test('tells the next time only what is new, or knows versions', async () => {
    const { cursor } = await read();
    const [added] = await fake.add(1, 'giraffe');
    ids.push(added ?? '');
    const { entries, cursor: after } = await read(cursor);
    expect(entries.map(({ id }) => id)).toContain(added);
    if (entries.length > 5) expect(entries.every(({ version }) => version !== undefined)).toBe(true);
    const again = await read(after);
    const versions = new Map(entries.map(({ id, version }) => [id, version]));
    for (const { id, version } of again.entries) if (versions.has(id)) expect(version).toBe(versions.get(id));
  });

  test('shows an edit, by the walk at the latest', async () => {
    if (!fake.edit) return;
    const [edited = ''] = ids;
    const before = (await walk()).entries.find(({ id }) => id === edited);
    await fake.edit(edited, 'okapi');
    const after = (await walk()).entries.find(({ id }) => id === edited);
    if (before?.version !== undefined) expect(after?.version).not.toBe(before.version);
    expect(await textOf(await after?.load(noSignal))).toContain('okapi');
  });

  test('shows that something is gone, by the walk at the latest', async () => {
    const { cursor } = await read();
    const [gone = '', ...rest] = ids;
    await fake.remove(gone);
    const { deleted } = await read(cursor);
    if (deleted.includes(gone)) return;
    expect((await walk()).entries.map(({ id }) => id).sort()).toEqual(rest.sort());
  });

  test.each([
    [429, 'limited'],
    [503, 'unavailable'],
    [401, 'credentials'],
  ])('an answer of %i is %s, at once', async (status, named) => {
    if (!fake.fail) return;
    // Where there are no credentials none can be wrong: it is the resource that may not be read.
    const kind = status === 401 && !fake.wrongCredentials ? 'refused' : named;
    fake.fail({ status, ...(status === 429 ? { retryAfterSeconds: 7 } : {}) }, 1000);
    const error = await failure(read());
    fake.fail({ status }, 0);
    expect(error).toMatchObject({ name: 'ProviderError', kind });
    if (status === 429) expect(error).toMatchObject({ retryAfterSeconds: 7 });
    expect((await read()).entries.length).toBeGreaterThan(0);
  });

  test.each([
    ['half of it', 200, '{"results": [{"id": '],
    ['the page of a proxy', 200, '<html>Sign in</html>'],
    ['nothing', 200, ''],
    ['the refusal of a firewall', 403, '<html>Blocked</html>'],
    ['the page of a gateway whose server is away', 404, '<html>Nothing here</html>'],
  ])('%s in place of an answer means that it is out of order', async (_case, status, body) => {
    if (!fake.fail || !fake.wrongCredentials) return;
    const answer = () => ({ status, headers: { 'content-type': 'application/json' }, body });
    const proxy = new JsonFake(answer, answer);
    await proxy.listen();
    const { session, close } = openFake(provider, { ...fake, baseUrl: proxy.url }, fake.credentials);
    const errors = [
      await failure(session.discover({ cursor: '', limit: 10 }, noSignal)),
      await failure(session.describe(fake.resource.id, noSignal)),
      await failure(session.read(scopeOf(fake), '', noSignal)),
      // The address itself may be wrong.
      ...(status === 404 ? [] : [await failure(session.check(noSignal))]),
    ];
    await close();
    await proxy.close();
    for (const error of errors) expect(error).toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });

  test('stops when it is told to', async () => {
    const aborted = AbortSignal.abort(new Error('stopped'));
    expect(await failure(opened.session.read(scopeOf(fake), '', aborted))).toBeInstanceOf(Error);
  });
});
