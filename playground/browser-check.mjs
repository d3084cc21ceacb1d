// Drives the playground of a running server in a real browser, with every other host blocked:
//   node playground/browser-check.mjs <baseUrl> <apiKey> <outputDir>
// Saves screenshots. Exit code 1 when an operation fails, the console shows an error, or the page asks another host.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [baseUrl, apiKey, outputDir] = process.argv.slice(2);
if (!baseUrl || !apiKey || !outputDir) {
  console.error('usage: node playground/browser-check.mjs <baseUrl> <apiKey> <outputDir>');
  process.exit(2);
}
const origin = new URL(baseUrl).origin;
const problems = [];
const WITHIN_MS = 60_000;

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const quiet = ['--disable-background-networking', '--disable-component-update'];
// Whatever the browser itself would like to reach must not leave the machine either.
const blocked = `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(baseUrl).hostname}`;

function watch(page) {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // The browser itself reports the 401 that the wrong key is meant to get.
    const expected = message.text().includes('status of 401');
    if (message.type() === 'error' && !expected) problems.push(`console: ${message.text()}`);
  });
  page.on('websocket', (socket) => {
    const { host, protocol } = new URL(socket.url());
    if (host !== new URL(baseUrl).host) problems.push(`socket to another host: ${protocol}//${host}`);
  });
}

async function blockOtherHosts(context) {
  await context.route(
    (url) => url.origin !== origin && !['data:', 'blob:'].includes(url.protocol),
    async (route) => {
      problems.push(`request to another host: ${route.request().url()}`);
      await route.abort();
    },
  );
}

async function screenshot(page, name) {
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(outputDir, `${name}.png`) });
}

async function connect(page) {
  await page.goto(`${origin}/graphql`);
  const input = page.getByLabel('API key');
  await input.waitFor();
  await screenshot(page, '1-key-form');
  await input.fill('ctx_wrongwrongwr.bm90LWEta2V5');
  await page.getByRole('button', { name: 'Connect' }).click();
  const problem = page.locator('#key-problem:not(:empty)');
  await problem.waitFor();
  console.log(`wrong key    -> ${await problem.textContent()}`);
  await screenshot(page, '2-wrong-key');
  await input.fill(apiKey);
  await input.press('Enter');
  await page.locator('.graphiql-query-editor .view-lines').waitFor();
  // The schema has arrived when the documentation can be opened on its root types.
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.locator('.graphiql-doc-explorer-content a').first().waitFor();
  await screenshot(page, '3-documentation');
  await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
}

/** Runs the operation of a tab and returns the response that went over the wire. */
async function run(page, name) {
  await page.locator('.graphiql-tab').getByRole('button', { name, exact: true }).click();
  const isOurs = (response) => (response.request().postData() ?? '').includes(`"operationName":"${name}"`);
  const [response] = await Promise.all([
    page.waitForResponse(isOurs),
    page.getByRole('button', { name: /^Execute query/ }).click(),
  ]);
  const body = await response.json();
  await page
    .locator('.graphiql-response .view-line', { hasText: /"(data|errors)"/ })
    .first()
    .waitFor();
  return body;
}

/** A step of the tour: no GraphQL errors, and one line about what came back. */
async function step(page, name, screenshotName) {
  const body = await run(page, name);
  console.log(`${name.padEnd(12)} -> ${JSON.stringify(body.errors ?? body.data).slice(0, 400)}`);
  if (body.errors) problems.push(`${name}: ${body.errors[0].message}`);
  await screenshot(page, screenshotName);
  return body;
}

/** Runs an operation until its data says so; an error or the deadline is left for the step that follows. */
async function repeatUntil(page, name, done) {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const { data, errors } = await run(page, name);
    if (errors || done(data) || Date.now() > deadline) return;
    await page.waitForTimeout(500);
  }
}

const isReady = (data) => data.database?.infra.readyForIngestion;
const isIndexed = (data) =>
  data.indexingStatus.statuses.every((status) => status.indexingStatus === 'completed');

/** Starts the subscription, hands the memories in again from here, and waits until an event is on the page. */
async function watchIndexing(page) {
  await page.locator('.graphiql-tab').getByRole('button', { name: 'AddMemories', exact: true }).click();
  const isIngest = (request) => (request.postData() ?? '').includes('"operationName":"AddMemories"');
  const [request] = await Promise.all([
    page.waitForRequest(isIngest),
    page.getByRole('button', { name: /^Execute query/ }).click(),
  ]);
  await page.locator('.graphiql-tab').getByRole('button', { name: 'WatchIndexing', exact: true }).click();
  const subscribed = new Promise((resolve) => {
    page.once('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => String(payload).includes('"subscribe"') && resolve()),
    );
  });
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await Promise.race([subscribed, page.waitForTimeout(10_000)]);
  await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: request.postData(),
  });
  const event = page.locator('.graphiql-response .view-line', { hasText: '"indexingStatusChanged"' });
  await event.first().waitFor();
  const shown = await page.locator('.graphiql-response .view-lines').innerText();
  console.log(`WatchIndexing -> ${shown.replace(/\s+/g, ' ')}`);
  await screenshot(page, '8-watch-indexing');
  await page.getByRole('button', { name: /^Stop query/ }).click();
  await page.getByRole('button', { name: /^Execute query/ }).waitFor();
}

async function createDatabase(page) {
  const body = await run(page, 'CreateDatabase');
  console.log(`CreateDatabase -> ${JSON.stringify(body.errors ?? body.data).slice(0, 400)}`);
  // A second run of this check meets the database of the first.
  const existed = body.errors?.[0]?.extensions?.code === 'DATABASE_ALREADY_EXISTS';
  if (body.errors && !existed) problems.push(`CreateDatabase: ${body.errors[0].message}`);
  await screenshot(page, '4-create-database');
}

async function main() {
  mkdirSync(outputDir, { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), 'playground-check-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...flags, ...quiet, blocked],
    colorScheme: 'light',
    viewport: { width: 1360, height: 820 },
  });
  try {
    await blockOtherHosts(context);
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(30_000);
    watch(page);
    await connect(page);
    await createDatabase(page);
    await repeatUntil(page, 'IsItReady', isReady);
    await step(page, 'IsItReady', '5-is-it-ready');
    await step(page, 'AddMemories', '6-add-memories');
    await repeatUntil(page, 'IndexingStatus', isIndexed);
    await step(page, 'IndexingStatus', '7-indexing-status');
    await watchIndexing(page);
    const answer = await step(page, 'Ask', '9-ask');
    if (answer.data?.search.chunks.length === 0) problems.push('Ask: nothing found');
    const graph = await step(page, 'Graph', '10-graph');
    if (graph.data?.relations.relations.length === 0) problems.push('Graph: no relations');
    await step(page, 'StatsAndCollections', '11-stats');
    const { data } = await step(page, 'DeleteMemories', '12-delete');
    if (data?.deleteSources.deletedCount !== 3) problems.push('DeleteMemories: not all were deleted');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(500);
    await screenshot(page, '13-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(500);
    const { width } = await page.locator('.graphiql-query-editor').boundingBox();
    if (width < 280) problems.push(`on a phone the editor is ${width} px wide`);
    await screenshot(page, '14-phone');
  } catch (error) {
    problems.push(`stopped: ${error.message}`);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

await main();
for (const problem of problems) console.error(`PROBLEM ${problem}`);
console.log(problems.length === 0 ? 'ok: no console errors, no request to another host' : 'failed');
process.exit(problems.length === 0 ? 0 : 1);
