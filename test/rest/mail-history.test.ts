import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { triplets } from '../support/graphs.js';
import { RerankServer } from '../support/rerank-server.js';
import type { RerankAsked } from '../support/rerank-server.js';
import { TestServer } from '../support/server.js';

const reranker = new RerankServer();
let server: TestServer;
let database: string;
beforeAll(async () => {
  await reranker.listen();
  server = await TestServer.start({
    environment: { RERANK_URL: `${reranker.url}/v1`, RERANK_MODEL: 'toy' },
  });
});
afterAll(async () => {
  await server.stop();
  await reranker.close();
});
beforeEach(async () => {
  database = await server.database();
  // The order of fusion stands.
  reranker.reply = (asked) => ({ body: { results: scored(asked, () => 0.5) } });
});

const scored = ({ body }: RerankAsked, scoreOf: (text: string) => number) =>
  (body.documents ?? []).map((text, index) => ({ index, relevance_score: scoreOf(text) }));

interface Mail {
  readonly id: string;
  readonly from: string;
  readonly body: string;
  readonly subject?: string;
}

const deposit = 'The deposit for the new office is 36,000 euros and due in June.';
const said = [deposit, 'Thanks.', 'Noted, I will tell the bank.', 'Great.', 'Any news?', 'Not yet.'];
const people = ['Ann <ann@x.test>', 'Bob <bob@x.test>', 'Cy <cy@x.test>'];
/** Each mail says something, above all the mails before it as `quote` has them. */
const threadOf = (quote: (before: Mail) => string): Mail[] => {
  const mails: Mail[] = [];
  for (const [at, words] of said.entries()) {
    const before = mails.at(-1);
    const body = before ? `${words}\n\n${quote(before)}` : words;
    const from = people[at % 3] ?? '';
    mails.push({ id: `m${at}`, from, body, subject: `${before ? 'Re: ' : ''}Office` });
  }
  return mails;
};
const behindMarks = ({ from, body }: Mail) =>
  `On Mon, Jun 3, 2024 at 9:00 AM ${from} wrote:\n${body.replace(/^/gm, '> ')}`;
const belowHeader = ({ from, body, subject }: Mail) =>
  `-----Original Message-----\nFrom: ${from}\nSent: Monday, June 3, 2024\nTo: All\nSubject: ${subject}\n\n${body}`;

const sendItems = async (mails: readonly Mail[], more: Record<string, unknown> = {}) => {
  const app_knowledge = mails.map(({ id, from, body, subject = 'Office' }) => ({
    id,
    kind: 'email',
    provider: 'mail',
    title: subject,
    fields: { subject, body, from },
    ...more,
  }));
  const answer = await server.rest('POST', '/context/ingest', { json: { database, app_knowledge } });
  expect(answer.status).toBe(202);
  await server.idle();
};
const sendFiles = async (mails: readonly Mail[]) => {
  const files = mails.map(({ id, from, body, subject = 'Office' }) => [
    `${id}.eml`,
    `From: ${from}\r\nTo: all@x.test\r\nSubject: ${subject}\r\n\r\n${body.replaceAll('\n', '\r\n')}\r\n`,
  ]);
  const document_metadata = JSON.stringify(mails.map(({ id }) => ({ id })));
  const answer = await server.upload(database, Object.fromEntries(files), { document_metadata });
  expect(answer.status).toBe(202);
  await server.idle();
};
/** Other mails that have a word of the question. */
const crowd = Array.from({ length: 30 }, (_, at): Mail => ({
  id: `other${at}`,
  from: 'Dee <dee@x.test>',
  body: `The office of day ${at} is open.`,
  subject: 'Day',
}));

const ask = async (query: string, more: Record<string, unknown> = {}): Promise<any[]> => {
  const { status, body } = await server.rest('POST', '/query', { json: { database, query, ...more } });
  expect(status).toBe(200);
  const { chunks } = body.data;
  const scores = chunks.map((chunk: any) => chunk.relevancy_score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  return chunks;
};
const question = 'How high is the deposit for the new office?';
const isQuoted = ({ layout }: any) => layout.quoted === true;
const textsOf = (chunks: any[]): string[] => chunks.map((chunk) => chunk.chunk_content);

describe.each([
  ['items, behind marks', sendItems, behindMarks],
  ['items, below headers', sendItems, belowHeader],
  ['files, behind marks', sendFiles, behindMarks],
  ['files, below headers', sendFiles, belowHeader],
])('a thread of mails that each repeat those before: %s', (_case, send, quote) => {
  test('the first result is who said it, and copies take no places', async () => {
    await send([...threadOf(quote), ...crowd]);
    for (const more of [
      {},
      { mode: 'fast' },
      { mode: 'thinking' },
      { alpha: 0 },
      { alpha: 1 },
      { query_by: 'text' },
    ]) {
      const chunks = await ask(question, more);
      expect([more, chunks[0].id, isQuoted(chunks[0])]).toEqual([more, 'm0', false]);
      expect(chunks).toHaveLength(10);
      expect(chunks.filter(isQuoted)).toEqual([]);
      expect(new Set(textsOf(chunks)).size).toBe(10);
    }
    const [only] = await ask(question, { max_results: 1 });
    expect(only.id).toBe('m0');
  });

  test('copies come last where there is nothing else, and every word is kept', async () => {
    const mails = threadOf(quote);
    await send(mails);
    const chunks = await ask(question, { max_results: 50 });
    expect(chunks.map(isQuoted)).toEqual([...said.map(() => false), ...said.slice(1).map(() => true)]);
    expect(chunks[0].id).toBe('m0');
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '';
    for (const { id, body } of mails) {
      const answer = await server.rest('GET', `/context/inspect?database=${database}&id=${id}`);
      expect(words(answer.body.data.content)).toContain(words(body));
    }
  });

  test('what nobody else says is found where it is repeated, once', async () => {
    await send([...threadOf(quote).slice(3), ...crowd]);
    for (const more of [{}, { alpha: 0 }]) {
      const chunks = await ask(question, more);
      expect(chunks[0].chunk_content).toContain('36,000');
      expect(isQuoted(chunks[0])).toBe(true);
      expect(textsOf(chunks).filter((text) => text.includes('36,000'))).toHaveLength(1);
    }
  });
});

test('a reranker that likes copies best does not bring them back', async () => {
  await sendItems([...threadOf(behindMarks), ...crowd]);
  reranker.reply = (asked) => ({
    body: { results: scored(asked, (text) => (text.includes('> ') ? 0.9 : 0.1)) },
  });
  const chunks = await ask(question);
  expect(chunks.filter(isQuoted)).toEqual([]);
  expect(textsOf(chunks).filter((text) => text.includes('36,000'))).toHaveLength(1);
});

test('a quotation that says more of the query than its originals that are found stays in its place', async () => {
  const [first, reply] = threadOf(behindMarks);
  const more = { ...reply, body: `${reply?.body}\n>\n> The deposit for the garage is 900 euros.` } as Mail;
  await sendItems([first as Mail, more, ...crowd]);
  const texts = textsOf(await ask('deposit for the garage', { max_results: 2 }));
  expect(texts.some((text) => text.includes('900 euros'))).toBe(true);
});

test.each([
  ['items', sendItems],
  ['files', sendFiles],
])('what answers a mail stands behind it, whatever its words: %s', async (_case, send) => {
  const asked = { id: 'asked', from: people[1] ?? '', body: question, subject: 'Quick one' };
  const reply = (id: string, words: string, before: Mail): Mail => ({
    id,
    from: people[0] ?? '',
    body: `${words}\n\n${behindMarks(before)}`,
    subject: 'Re: Quick one',
  });
  const answer = reply('answer', '36,000 euros.', asked);
  const later = reply('later', 'Good grief!', answer);
  await send([answer, later, ...crowd]);
  const unasked = await ask(question);
  expect(unasked.slice(0, 2).map((chunk) => [chunk.id, isQuoted(chunk)])).toEqual([
    ['answer', true],
    ['answer', false],
  ]);
  await send([asked]);
  for (const more of [{}, { mode: 'fast' }, { alpha: 0 }]) {
    const chunks = await ask(question, more);
    expect(chunks.slice(0, 2).map(({ id }) => id)).toEqual(['asked', 'answer']);
    expect(chunks[1].chunk_content).toMatch(/36,000 euros\.$/);
    expect(chunks.filter(isQuoted)).toEqual([]);
    expect(chunks.map(({ id }) => id)).not.toContain('later');
  }
  const every = await ask('deposit office', { query_by: 'text', operator: 'and' });
  expect(every).toHaveLength(3);
  for (const { chunk_content } of every) expect(chunk_content).toContain('deposit');
});

test('answers below what they answer stand beside it', async () => {
  const body = `On Mon, Ann wrote:\n> How high is the deposit?\n\n36,000 euros.\n\n> And when is it due?\n\nIn June.`;
  await sendItems([{ id: 'answers', from: 'Bob', body }]);
  await sendFiles([{ id: 'file', from: 'Bob', body }]);
  const chunks = await ask('When is the deposit due?');
  expect(chunks.map(({ id }) => id).toSorted()).toEqual(['answers', 'file']);
  for (const chunk of chunks) {
    expect(chunk.chunk_content).toContain('> How high is the deposit?');
    expect(chunk.chunk_content).toContain('> And when is it due?\n\nIn June.');
    expect(isQuoted(chunk)).toBe(false);
  }
});

test('a message that is passed on is what the mail says', async () => {
  const forwarded = `FYI\n\n---------- Forwarded message ---------\nFrom: Ann <ann@x.test>\nDate: Mon, Jun 3\nSubject: Office\nTo: Bob\n\n${deposit}`;
  const outlook = `FYI\n\n${belowHeader(threadOf(behindMarks)[0] as Mail)}`;
  await sendItems([
    { id: 'gmail', from: 'Bob', body: forwarded },
    { id: 'outlook', from: 'Bob', body: outlook, subject: 'FW: Office' },
  ]);
  await sendFiles([{ id: 'file', from: 'Bob', body: outlook, subject: 'Fwd: Office' }]);
  const chunks = await ask(question);
  expect(chunks.filter(isQuoted)).toEqual([]);
  expect(chunks.map(({ id }) => id).toSorted()).toEqual(['file', 'gmail', 'outlook']);
});

test('what is repeated states nothing, and tells nobody’s facts', async () => {
  const ann = { id: 'first', from: people[0] ?? '', body: 'Anna Berg works for Volvo. I prefer green tea.' };
  const bob = {
    id: 'reply',
    from: people[1] ?? '',
    body: `Tom Larsen works for Scania.\n\n${belowHeader(ann)}`,
  };
  await sendItems([bob], { infer: true });
  const answer = await server.rest('GET', `/context/relations?database=${database}&ids=reply`);
  expect(triplets(answer.body.data.relations)).toEqual(['Tom Larsen works_for Scania']);
  await sendItems([ann], { infer: true });
  const contents = await Promise.all(
    ['first', 'reply'].map((id) => server.rest('GET', `/context/inspect?database=${database}&id=${id}`)),
  );
  const [first, reply] = contents.map(({ body }) => JSON.stringify(body.data.inferred_content));
  expect(first).toContain('green tea');
  expect(reply).not.toContain('green tea');
});
