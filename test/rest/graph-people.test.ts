import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askGraph } from '../support/graph-context.js';
import { Graphs, triplets } from '../support/graphs.js';

// One person, as mails, tickets and texts name her; and those who only share a name.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const mail = (id: string, from: string, more: Record<string, unknown> = {}) => ({
  id,
  kind: 'email',
  provider: 'gmail',
  fields: { from, to: ['bo@acme.example'], subject: 'Note', body: 'See the attached plan.' },
  ...more,
});
const ticket = (assignee: string) => ({
  id: 'ticket',
  kind: 'ticket',
  provider: 'jira',
  fields: { title: 'Login fails', description: 'It hangs.', assignee },
});

async function query(document: string, variables: Record<string, unknown>): Promise<any> {
  const { body } = await graphs.server.graphql(document, { database: graphs.database, ...variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function peopleCalled(name: string, more: Record<string, unknown>): Promise<any[]> {
  const { entities } = await query(
    `query ($database: String!, $collection: String, $name: String, $acl: [String!]) {
      entities(database: $database, collection: $collection, name: $name, acl: $acl) {
        totalCount nodes { id name identifier sourceIds } } }`,
    { name, ...more },
  );
  expect(entities.totalCount).toBe(entities.nodes.length);
  return entities.nodes;
}

const seen = (people: readonly any[]) =>
  people
    .map(({ identifier, sourceIds }) => `${identifier ?? 'nobody'}: ${[...sourceIds].sort().join()}`)
    .sort();

describe('a person whom texts and tickets know by name, and one mail by address', () => {
  const collection = 'one';
  beforeAll(async () => {
    await graphs.items.store([mail('mail', 'Anna Keller <anna@acme.example>'), ticket('Anna Keller')], {
      collection,
    });
    await graphs.store(
      { page: { text: 'Anna Keller manages Bo Lund. Bo Lund lives in Bern.' } },
      { collection },
    );
  });

  test('stands once in lists of entities, with the address', async () => {
    expect(seen(await peopleCalled('Anna Keller', { collection }))).toEqual([
      'anna@acme.example: mail,page,ticket',
    ]);
  });

  test('is on paths and has neighbours by that id', async () => {
    const [{ id: from }] = await peopleCalled('Anna Keller', { collection });
    const [{ id: to }] = await peopleCalled('Bern', { collection });
    const { neighbours, entityPaths } = await query(
      `query ($database: String!, $collection: String, $from: String!, $to: String!) {
        neighbours(database: $database, collection: $collection, entityId: $from) { nodes { entity { name } } }
        entityPaths(database: $database, collection: $collection, from: $from, to: $to) {
          paths { triplets { source { name } target { name } } } } }`,
      { collection, from, to },
    );
    expect(neighbours.nodes.map(({ entity }: any) => entity.name)).toEqual(['Bo Lund']);
    expect(entityPaths.paths).toHaveLength(1);
  });

  test('is one on the paths of a query by address', async () => {
    const { paths } = await askGraph(graphs, 'Whom does anna@acme.example manage?', { collection });
    expect(paths[0]).toBe('Anna Keller manages Bo Lund');
  });
});

describe('people of one name', () => {
  test('stay apart where two have an address, and a bare name is neither', async () => {
    const collection = 'two';
    await graphs.items.store(
      [mail('here', 'Anna Keller <anna@acme.example>'), mail('there', 'Anna Keller <anna@zeta.example>')],
      { collection },
    );
    await graphs.store({ page: { text: 'Anna Keller manages Bo Lund.' } }, { collection });
    expect(seen(await peopleCalled('Anna Keller', { collection }))).toEqual([
      'anna@acme.example: here',
      'anna@zeta.example: there',
      'nobody: page',
    ]);
  });

  test('are judged by what the reader may read', async () => {
    const collection = 'hidden';
    await graphs.items.store(
      [
        mail('here', 'Anna Keller <anna@acme.example>', { acl: ['ops'] }),
        mail('there', 'Anna Keller <anna@zeta.example>', { acl: ['hr'] }),
      ],
      { collection },
    );
    await graphs.store({ page: { text: 'Anna Keller manages Bo Lund.' } }, { collection });
    const read = async (acl: string[]) => seen(await peopleCalled('Anna Keller', { collection, acl }));
    expect(await read(['ops'])).toEqual(['anna@acme.example: here,page']);
    expect(await read(['hr'])).toEqual(['anna@zeta.example: page,there']);
    expect(await read(['sales'])).toEqual(['nobody: page']);
    expect(await read(['ops', 'hr'])).toHaveLength(3);
    const pathsFor = async (acl: string[]) =>
      (await askGraph(graphs, 'Whom does anna@acme.example manage?', { collection, acl })).paths;
    expect(await pathsFor(['ops'])).toContain('Anna Keller manages Bo Lund');
    expect(await pathsFor(['ops', 'hr'])).not.toContain('Anna Keller manages Bo Lund');
  });

  test('stay apart by a first name alone', async () => {
    const collection = 'short';
    await graphs.items.store([mail('mail', 'Anna <anna@acme.example>')], { collection });
    await graphs.store({ page: { text: 'Anna manages Bo Lund.' } }, { collection });
    expect(await peopleCalled('Anna', { collection })).toHaveLength(2);
  });

  test('stay apart where a supplied graph has one with an identifier and one without', async () => {
    const collection = 'supplied';
    const graph = {
      entities: {
        known: { name: 'Anna Keller', type: 'PERSON', identifier: 'E-17' },
        other: { name: 'Anna Keller', type: 'person' },
        acme: { name: 'Acme', type: 'ORGANIZATION' },
      },
      relations: [
        { source: 'known', target: 'acme', predicate: 'works_for' },
        { source: 'other', target: 'acme', predicate: 'left' },
      ],
    };
    await graphs.store({ graph: { graph } }, { collection });
    expect(seen(await peopleCalled('Anna Keller', { collection }))).toEqual(['E-17: graph', 'nobody: graph']);
  });
});

describe('people who write from one address', () => {
  const collection = 'desk';
  const signed = (name: string) => ({
    fields: { from: `${name} <support@acme.example>`, to: ['bo@x.example'], body: 'I work at Acme Corp.' },
  });
  beforeAll(async () => {
    await graphs.items.store(
      [
        mail('ann', '', signed('Ann Lund')),
        mail('piotr', '', signed('Piotr Nowak')),
        mail('desk', '', signed('Acme Support')),
        mail('sent-on', "'Ann Lund' via Berlin <berlin@acme.example>"),
        mail('own', 'Ann Lund <ann@acme.example>'),
      ],
      { collection },
    );
  });

  test('stay apart, and are who else bears their name', async () => {
    expect(seen(await peopleCalled('Ann Lund', { collection }))).toEqual([
      'ann@acme.example: ann,own,sent-on',
    ]);
    expect(seen(await peopleCalled('Piotr Nowak', { collection }))).toEqual(['nobody: piotr']);
  });

  test('leave the address to the mailbox', async () => {
    expect(seen(await peopleCalled('support@acme.example', { collection }))).toEqual([
      'support@acme.example: ann,desk,piotr',
    ]);
    const { auxiliary_relations: groups } = await graphs.relations({ collection, id: 'ann' });
    expect(groups.map(({ target }: any) => `${target.name} ${target.identifier}`).sort()).toEqual([
      'Ann Lund null',
      'bo@x.example bo@x.example',
      'support@acme.example support@acme.example',
    ]);
  });

  test('are the ones who speak; a mailbox is nobody', async () => {
    const said = async (id: string) => triplets((await graphs.relations({ collection, id })).relations);
    expect(await said('ann')).toEqual(['Ann Lund works_for Acme Corp']);
    expect(await said('desk')).toEqual([]);
  });
});

test('the form of an apostrophe tells nobody apart', async () => {
  const collection = 'apostrophes';
  await graphs.store(
    {
      typed: { text: "Anna O'Neil works for Acme Corp." },
      set: { text: 'Anna O’Neil lives in Bern.' },
    },
    { collection },
  );
  expect(await peopleCalled('Anna O’Neil', { collection })).toHaveLength(1);
});

test('a handle in a text is the account of that name in the same application, not elsewhere', async () => {
  const collection = 'handles';
  const message = (id: string, provider: string, fields: Record<string, unknown>) => ({
    id,
    kind: 'message',
    provider,
    fields,
  });
  await graphs.items.store(
    [
      message('said', 'slack', { author: '@anna', body: 'The build is green.' }),
      message('asked', 'slack', { author: 'bo', body: 'Can you restart it, @anna?' }),
      message('other', 'github', { author: 'bo', body: 'Thanks, @anna!' }),
      mail('mail', 'bo@acme.example', {
        fields: { from: 'bo@acme.example', to: ['eve@acme.example'], subject: 'Hi', body: 'Ask @anna.' },
      }),
    ],
    { collection },
  );
  const accounts = ['@anna: mail', 'nobody: asked,said', 'nobody: other'];
  for (const name of ['anna', '@anna'])
    expect(seen(await peopleCalled(name, { collection }))).toEqual(accounts);
});
