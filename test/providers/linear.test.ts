import { describe, expect, test } from '@jest/globals';
import type { Item, ResourceScope } from '../../src/connectors/provider.js';
import { commentItem, issueItem } from '../../src/connectors/providers/linear/linear-items.js';
import { linear } from '../../src/connectors/providers/linear.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { LinearFake } from '../support/connectors/linear-fake.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { failureOf, noSignal, openFake, readAll, scopeOf } from '../support/connectors/reading.js';

const ada = { id: 'u1', name: 'Ada Lovelace', email: 'ada@acme.test', active: true };

let fake: LinearFake;
const opened = OpenedFake.forEachTest(linear, async () => (fake = await LinearFake.start()));

const scope = (filters: JsonObject = {}, rest: Partial<ResourceScope> = {}) => ({
  ...scopeOf(fake),
  filters,
  ...rest,
});
const read = (from = '', filters: JsonObject = {}) =>
  readAll((cursor) => opened.session.read(scope(filters), cursor, noSignal), from);
const walk = (filters: JsonObject = {}) =>
  readAll((cursor) => opened.session.walk!(scope(filters), cursor, noSignal));
const itemsOf = async (shown: Awaited<ReturnType<typeof read>>) =>
  new Map<string, Item | undefined>(
    await Promise.all(shown.entries.map(async (entry) => [entry.id, await entry.load(noSignal)] as const)),
  );
const idsOf = ({ entries }: Awaited<ReturnType<typeof read>>) => entries.map(({ id }) => id).sort();

describe('what becomes of it', () => {
  test('an issue and a comment are read without what may be left out or null', () => {
    const thing = {
      id: 'i1',
      url: 'https://linear.app/i1',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
    };
    const bare = { ...thing, identifier: 'ENG-1', title: null, state: null, team: null, labels: null };
    expect(issueItem(bare as never)).toMatchObject({ attachments: [], native: { identifier: 'ENG-1' } });
    const issue = { id: 'i1', identifier: 'ENG-1', title: 'Login fails', team: null };
    const comment = { ...thing, id: 'c1', body: 'Why?', issue };
    expect(commentItem(comment as never)).toMatchObject({ fields: { body: 'Why?', parent_id: 'i1' } });
    expect(commentItem({ ...comment, body: null } as never)).toBeUndefined();
  });

  test('an issue is a ticket with people, labels, relations and links', async () => {
    const parent = fake.putIssue();
    const other = fake.putIssue();
    const blocker = fake.putIssue();
    const issue = fake.putIssue({
      title: 'Login fails',
      description: '# Steps\n\n1. *Log in* – ✗',
      state: { id: 's2', name: 'In Progress', type: 'started' },
      priorityLabel: 'Urgent',
      dueDate: '2026-12-24',
      assignee: ada,
      creator: { ...ada, name: 'Bob', email: 'bob@acme.test' },
      parent,
      project: { id: 'p1', name: 'Accounts' },
      labels: { nodes: [{ id: 'l', name: 'bug' }] },
      relations: { nodes: [{ relatedIssue: other }] },
      inverseRelations: { nodes: [{ issue: blocker }, { issue: other }] },
      attachments: { nodes: [{ id: 'a1', title: 'PR 12', url: 'https://github.com/acme/app/pull/12' }] },
    });
    const item = (await itemsOf(await read())).get(issue.id);
    expect(item).toEqual({
      kind: 'ticket',
      title: 'Login fails',
      url: issue['url'],
      type: 'issue',
      timestamp: issue.createdAt,
      fields: {
        title: 'Login fails',
        description: '# Steps\n\n1. *Log in* – ✗',
        status: 'In Progress',
        priority: 'Urgent',
        assignee: 'Ada Lovelace <ada@acme.test>',
        reporter: 'Bob <bob@acme.test>',
        parent_id: parent.id,
        linked_issue_ids: [other.id, blocker.id],
        created_at: issue.createdAt,
        updated_at: issue.updatedAt,
        url: issue['url'],
        labels: ['bug'],
        project: 'Accounts',
        due_date: '2026-12-24',
      },
      attachments: [{ id: 'a1', title: 'PR 12', url: 'https://github.com/acme/app/pull/12' }],
      native: { issue_id: issue.id, identifier: 'ENG-4', team_id: fake.team.id, project_id: 'p1' },
    });
  });

  test('an issue may be of a deleted user, a bot or a customer, and have nothing else', async () => {
    const nobody = fake.putIssue();
    const bot = fake.putIssue({ botActor: { id: 'b', name: 'Sentry', type: 'integration' } });
    const customer = fake.putIssue({ externalUserCreator: { id: 'e', name: 'Eve', email: null } });
    const items = await itemsOf(await read());
    expect(items.get(nobody.id)?.fields).not.toHaveProperty('reporter');
    expect(items.get(nobody.id)?.fields).not.toHaveProperty('linked_issue_ids');
    expect(items.get(bot.id)?.fields['reporter']).toBe('Sentry');
    expect(items.get(customer.id)?.fields['reporter']).toBe('Eve');
  });

  test('comments stand in the thread of their issue, answers below what they answer', async () => {
    const issue = fake.putIssue({ title: 'Login fails' });
    const comment = fake.put('comments', { body: 'Since _Monday_', parentId: null, user: ada, issue });
    const reply = fake.put('comments', { body: 'Same here', parentId: comment.id, user: null, issue });
    const empty = fake.put('comments', { body: ' \n', parentId: null, user: ada, issue });
    const items = await itemsOf(await read());
    expect(items.get(comment.id)).toEqual({
      kind: 'comment',
      title: 'Comment on ENG-1: Login fails',
      url: comment['url'],
      type: 'comment',
      timestamp: comment.createdAt,
      fields: {
        body: 'Since _Monday_',
        author: 'Ada Lovelace <ada@acme.test>',
        parent_id: issue.id,
        thread_id: issue.id,
        created_at: comment.createdAt,
        updated_at: comment.updatedAt,
        url: comment['url'],
      },
      native: { comment_id: comment.id, issue_id: issue.id, identifier: 'ENG-1', team_id: fake.team.id },
    });
    expect(items.get(reply.id)?.fields).toMatchObject({ parent_id: comment.id, thread_id: issue.id });
    expect(items.get(reply.id)?.fields).not.toHaveProperty('author');
    expect(items.get(empty.id)).toBeUndefined();
  });

  test('documents of the team and of its projects are pages, others are not there', async () => {
    const values = {
      title: 'Plan',
      content: '## Why',
      creator: ada,
      updatedBy: ada,
      team: null,
      project: null,
    };
    const ours = fake.put('documents', { ...values, team: fake.team });
    const project = { id: 'p1', name: 'Accounts', accessibleTeams: [fake.team] };
    const projects = fake.put('documents', { ...values, project, parentDocument: ours });
    fake.put('documents', { ...values, project: { ...project, accessibleTeams: [] } });
    const shown = await read();
    expect(idsOf(shown)).toEqual([ours.id, projects.id].sort());
    expect((await itemsOf(shown)).get(projects.id)).toMatchObject({
      kind: 'knowledge_base',
      title: 'Plan',
      fields: {
        body: '## Why',
        parent_id: ours.id,
        created_by: 'Ada Lovelace <ada@acme.test>',
        project: 'Accounts',
      },
      native: { document_id: projects.id, project_id: 'p1' },
    });
  });
});

describe('what is read', () => {
  test('all of it comes in one request when little is new, or nothing', async () => {
    const issue = fake.putIssue();
    fake.put('comments', { body: 'One', parentId: null, user: ada, issue });
    const { cursor } = await read();
    expect(fake.requests).toBe(1);
    await read(cursor);
    expect(fake.requests).toBe(2);
  });

  test('filters choose states and labels, and leave out comments and documents', async () => {
    const bug = { nodes: [{ id: 'l', name: 'bug' }] };
    const done = { id: 'd', name: 'Done', type: 'completed' };
    const wanted = fake.putIssue({ labels: bug, state: done });
    const other = fake.putIssue({ labels: bug });
    fake.putIssue({ state: done });
    const comment = fake.put('comments', { body: 'Yes', parentId: null, user: ada, issue: wanted });
    fake.put('comments', { body: 'No', parentId: null, user: ada, issue: other });
    const filters = { states: ['Done'], labels: ['bug'] };
    expect(idsOf(await read('', filters))).toEqual([wanted.id, comment.id].sort());
    expect(idsOf(await walk(filters))).toEqual([wanted.id, comment.id].sort());
    const alone = { ...filters, include_comments: false, include_documents: false };
    expect(idsOf(await read('', alone))).toEqual([wanted.id]);
  });

  test('nothing comes that was last changed before the lookback', async () => {
    fake.putIssue();
    const oldest = new Date(Date.parse(fake.now()) - 1);
    const later = fake.putIssue();
    const { entries } = await readAll((cursor) =>
      opened.session.read(scope({}, { oldest }), cursor, noSignal),
    );
    expect(entries.map(({ id }) => id)).toEqual([later.id]);
  });

  test('a team is found by its key, in any case', async () => {
    const issue = fake.putIssue();
    const resource = scope({}, { id: 'eng' });
    expect((await opened.session.read(resource, '', noSignal)).entries.map(({ id }) => id)).toEqual([
      issue.id,
    ]);
    expect(await opened.session.describe('eng', noSignal)).toMatchObject({ id: 'eng', name: 'Engineering' });
  });

  test('a team that is gone is missing, not empty', async () => {
    const { cursor } = await read();
    fake.rows.teams = [];
    await expect(read(cursor)).rejects.toMatchObject({ kind: 'missing' });
    await expect(walk()).rejects.toMatchObject({ kind: 'missing' });
    await expect(opened.session.readers!(scope(), noSignal)).rejects.toMatchObject({ kind: 'missing' });
  });

  test('what is changed and added while it is paged is not lost', async () => {
    const ids = await fake.add(120, 'zebra');
    const [first = ''] = ids;
    const last = fake.rows.issues.find(({ id }) => id === first);
    const added: string[] = [];
    fake.afterAnswer = () => {
      // The entry at which the next page would begin by the cursor of Linear moves to the top.
      const boundary = fake.rows.issues.find(({ id }) => id === ids[70]);
      fake.change(boundary!, { description: 'moved' });
      fake.change(last!, { description: 'changed' });
      added.push(fake.putIssue().id);
    };
    const shown = await read();
    const next = await read(shown.cursor);
    const seen = new Set([...idsOf(shown), ...idsOf(next)]);
    expect([...seen].sort()).toEqual([...ids, ...added].sort());
    expect((await itemsOf(next)).get(first)?.fields['description']).toBe('changed');
  });

  test('more than a page of one and the same moment is read whole', async () => {
    const ids = await fake.add(130, 'zebra');
    for (const row of fake.rows.issues) Object.assign(row, { updatedAt: fake.rows.issues[0]?.updatedAt });
    const { entries } = await read();
    expect(entries.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  test('a position that Linear no longer takes is expired', async () => {
    await fake.add(130, 'zebra');
    for (const row of fake.rows.issues) Object.assign(row, { updatedAt: fake.rows.issues[0]?.updatedAt });
    const first = await opened.session.read(scope(), '', noSignal);
    const second = await opened.session.read(scope(), first.cursor, noSignal);
    fake.rows.issues = [];
    await expect(opened.session.read(scope(), second.cursor, noSignal)).rejects.toMatchObject({
      kind: 'expired',
    });
  });

  test('a list that is not there, or goes on nobody knows where, ends no walk', async () => {
    await fake.add(300, 'zebra');
    fake.hidesCursors = true;
    await expect(walk()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' });
    fake.hidesCursors = false;
    fake.missing = 'comments';
    await expect(walk()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('what is archived or in the trash is gone', async () => {
    const [archived, trashed, kept] = [fake.putIssue(), fake.putIssue(), fake.putIssue()];
    fake.putIssue({ archivedAt: fake.now() });
    const { cursor, deleted, entries } = await read();
    expect([deleted, entries.length]).toEqual([[], 3]);
    fake.change(archived, { archivedAt: fake.now() });
    fake.change(trashed, { archivedAt: fake.now(), trashed: true });
    const next = await read(cursor);
    expect(next.deleted).toEqual(expect.arrayContaining([archived.id, trashed.id]));
    expect(next.deleted).not.toContain(kept.id);
    expect(idsOf(next)).toEqual([kept.id]);
    expect(idsOf(await walk())).toEqual([kept.id]);
    const withArchived = { include_archived: true };
    expect(idsOf(await walk(withArchived))).toContain(archived.id);
    expect(idsOf(await walk(withArchived))).not.toContain(trashed.id);
  });

  test('the walk asks for ids, and for the content of what is not known', async () => {
    const issue = fake.putIssue({ description: 'zebra' });
    const comment = fake.put('comments', { body: 'okapi', parentId: null, user: ada, issue });
    const shown = await walk();
    expect(fake.requests).toBe(1);
    const items = await itemsOf(shown);
    expect(items.get(issue.id)?.fields['description']).toBe('zebra');
    expect(items.get(comment.id)?.fields['body']).toBe('okapi');
    expect(fake.requests).toBe(3);
    const again = await walk();
    await fake.remove(issue.id);
    expect(await again.entries.find(({ id }) => id === issue.id)?.load(noSignal)).toBeUndefined();
  });
});

describe('who may read it', () => {
  test('everyone may, but for a team that is not public: its members', async () => {
    const readers = () => opened.session.readers!(scope(), noSignal);
    expect(await readers()).toBeUndefined();
    fake.team['visibility'] = 'private';
    fake.members = Array.from({ length: 260 }, (_, index) => ({
      ...ada,
      id: `u${index}`,
      email: `Person${index}@acme.test`,
      active: index !== 7,
    }));
    const found = await readers();
    expect(found).toHaveLength(259);
    expect(found).toContain('user_email:person259@acme.test');
    expect(found).not.toContain('user_email:person7@acme.test');
  });

  test('messages hold no key', async () => {
    const wrong = openFake(linear, fake, fake.wrongCredentials);
    const error = await wrong.session.check(noSignal).catch((each: unknown) => each as Error);
    await wrong.close();
    expect(error).toMatchObject({ kind: 'credentials', message: expect.stringContaining('authenticate') });
    expect(String(error)).not.toContain('lin_api');
  });
});

test.each([0, -3_600_000, 3_600_000])(
  'a limit ends when Linear says, whose clock is %i ms off',
  async (offMs) => {
    fake.clockOffMs = offMs;
    fake.fail({ status: 429, retryAfterSeconds: 90 }, 1);
    const error = (await failureOf(opened.session.check(noSignal))) as { retryAfterSeconds: number };
    expect(error).toMatchObject({ kind: 'limited' });
    expect(error.retryAfterSeconds).toBeGreaterThan(60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(91);
  },
);
