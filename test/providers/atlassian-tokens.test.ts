import { describe, expect, test } from '@jest/globals';
import { confluence } from '../../src/connectors/providers/confluence.js';
import { jira } from '../../src/connectors/providers/jira.js';
import { scopedFakeCredentials } from '../support/connectors/atlassian-server.js';
import { ConfluenceFake } from '../support/connectors/confluence-fake.js';
import { JiraFake } from '../support/connectors/jira-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { failureOf, noSignal, openFake, readsOf } from '../support/connectors/reading.js';

describe.each([
  { provider: jira, start: () => JiraFake.start() },
  { provider: confluence, start: () => ConfluenceFake.start() },
])('a token of $provider.name', ({ provider, start }) => {
  let fake: JiraFake | ConfluenceFake;
  const opened = OpenedFake.forEachTest(provider, async () => (fake = await start()), scopedFakeCredentials);
  const { read } = readsOf(opened);
  const lookUps = () => fake.log.filter((path) => path.startsWith('/_edge/'));

  test('with scopes is taken at the gateway, which is looked up once; links lead to the site', async () => {
    const added = await fake.add(2, 'zebra');
    await opened.session.check(noSignal);
    const { entries } = await read();
    expect(entries.map(({ id }) => id).sort()).toEqual(added.sort());
    expect((await entries[0]?.load(noSignal))?.url).toMatch(/^https:\/\/example\.atlassian\.net\//);
    expect(lookUps()).toHaveLength(1);
    expect(fake.log.at(-1)).toMatch(/^\/ex\/(?:jira|confluence)\//);
  });

  test('without scopes is taken by the site', async () => {
    const plain = openFake(provider, fake);
    await plain.session.check(noSignal);
    await plain.close();
    expect(lookUps()).toEqual([]);
  });

  test('that nobody takes is rejected, and shown to no gateway by a server of one’s own', async () => {
    for (const [siteUrl, times] of [
      ['https://jira.example.com', 0],
      ['https://atlassian.net.example.com', 0],
      ['https://example.atlassian.net', 1],
    ] as const) {
      const wrong = openFake(provider, fake, { ...fake.wrongCredentials, site_url: siteUrl });
      expect(await failureOf(wrong.session.check(noSignal))).toMatchObject({ kind: 'credentials' });
      await wrong.close();
      expect(lookUps()).toHaveLength(times);
    }
  });
});
