// Drives the page at /docs of a running server in a real browser, with every other host blocked:
//   node rest-compat/docs-page/browser-check.mjs <baseUrl> <apiKey> <outputDir>
// Saves screenshots. Exit code 1 when a call fails, the console shows an error, or the page asks another host.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [baseUrl, apiKey, outputDir] = process.argv.slice(2);
if (!baseUrl || !apiKey || !outputDir) {
  console.error('usage: node rest-compat/docs-page/browser-check.mjs <baseUrl> <apiKey> <outputDir>');
  process.exit(2);
}
const { origin, hostname } = new URL(baseUrl);
const problems = [];
const database = `docs-${Date.now()}`;

async function open(browser) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) problems.push(`asked ${url}`);
  });
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock').first().waitFor();
  await screenshot(page, '1-page');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').fill(apiKey);
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.auth-btn-wrapper .btn-done').click();
  return page;
}

async function screenshot(page, name) {
  await page.screenshot({ path: join(outputDir, `${name}.png`) });
}

/** Opens an operation, lets `fill` write its parameters, executes it and returns what it answered. */
async function call(page, operationId, fill) {
  const block = page.locator(`[id$="-${operationId}"].opblock`);
  const summary = block.locator('.opblock-summary-control');
  await summary.click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  await fill(block);
  await block.scrollIntoViewIfNeeded();
  await screenshot(page, operationId);
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() !== 'OPTIONS'),
    block.getByRole('button', { name: 'Execute' }).click(),
  ]);
  const body = await response.json();
  console.log(`${operationId.padEnd(16)} -> ${response.status()} ${JSON.stringify(body).slice(0, 200)}`);
  if (!body.success) problems.push(`${operationId}: ${body.error?.message}`);
  await summary.click();
  return body;
}

const row = (block, name) => block.locator(`[data-param-name="${name}"], [data-property-name="${name}"]`);
const query = (name, value) => (block) => row(block, name).locator('input').first().fill(value);
const json = (value) => (block) => block.locator('textarea').fill(JSON.stringify(value));

async function addDocument(block) {
  await row(block, 'database').locator('input').first().fill(database);
  await row(block, 'documents').getByRole('button', { name: /Add/ }).click();
  await row(block, 'documents').locator('input[type=file]').setInputFiles(join(outputDir, 'tea.md'));
  await row(block, 'document_metadata').locator('input').first().fill('[{"id": "tea"}]');
}

/** Begins with a form: what was written there must not stand in the JSON body that takes its place. */
async function addMemory(block) {
  const input = row(block, 'database').locator('input').first();
  await input.fill('elsewhere');
  // The viewer takes over what was typed when the input is left.
  await input.blur();
  await block.locator('.content-type-wrapper select').first().selectOption('application/json');
  const begun = await block.locator('textarea').inputValue();
  if (!begun.includes('"memories"')) problems.push(`the JSON body of ingest begins as ${begun}`);
  await json({ database, type: 'memory', memories: [{ text: 'Ada drinks coffee.' }] })(block);
}

async function waitUntilReady(page) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const status = await fetch(`${origin}/databases/status?database=${database}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if ((await status.json()).data?.infra.ready_for_ingestion) return;
    await page.waitForTimeout(200);
  }
}

async function main() {
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(outputDir, 'tea.md'), '# Tea\n\nMira drinks green tea.\n');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${hostname}`],
  });
  try {
    const page = await open(browser);
    await call(page, 'createDatabase', json({ database }));
    await waitUntilReady(page);
    await call(page, 'databaseStatus', query('database', database));
    await call(page, 'ingest', addDocument);
    const again = await open(browser);
    await call(again, 'ingest', addMemory);
    await call(again, 'query', json({ database, query: 'tea' }));
    await call(again, 'deleteDatabase', query('database', database));
  } catch (error) {
    problems.push(`stopped: ${error.message}`);
  } finally {
    await browser.close();
  }
}

await main();
for (const problem of problems) console.error(`PROBLEM ${problem}`);
console.log(problems.length === 0 ? 'ok: no console errors, no request to another host' : 'failed');
process.exit(problems.length === 0 ? 0 : 1);
