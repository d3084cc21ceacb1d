import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ScriptedAccount, scriptedProvider } from '../support/connectors/scripted-provider.js';
import { SyncModel } from '../support/connectors/sync-model.js';
import { randomSteps } from '../support/connectors/sync-steps.js';
import type { SyncStep } from '../support/connectors/sync-steps.js';
import { Random } from '../support/random.js';
import { TestServer } from '../support/server.js';

// Whatever happens to an account, its connector and the server: when all is well again, the database holds what the account does.

const roundsMin = Number(process.env['SYNC_MODEL_ROUNDS'] ?? 4);
const seed = Number(process.env['SYNC_MODEL_SEED'] ?? 20_261_122);
const stepsOfRound = 24;
const shrinkTriesMax = 60;

const accounts = { scripted: new ScriptedAccount(), whole: new ScriptedAccount() };
const connectorProviders = [
  scriptedProvider(accounts.scripted),
  scriptedProvider(accounts.whole, { id: 'whole', coverage: 'all', versions: true }),
];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ connectorProviders });
});
afterAll(() => server.stop());

async function run(steps: readonly SyncStep[], provider: keyof typeof accounts): Promise<Error | undefined> {
  const model = await SyncModel.begin(server, accounts[provider], provider);
  try {
    for (const step of steps) {
      if (step.kind === 'restart') {
        await server.stop();
        server = await TestServer.start({ connectorProviders, after: server });
        model.continueOn(server);
      } else await model.take(step);
    }
    await model.heal();
    const found = await model.found();
    expect(found).toEqual(model.expected());
    await model.checkNotes();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await model.end();
  }
}

/** Leaves out what is not needed to fail. */
async function shrink(steps: readonly SyncStep[], provider: keyof typeof accounts, failure: Error) {
  let least = { steps, failure };
  let tries = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < least.steps.length && tries < shrinkTriesMax; tries += 1) {
      const fewer = least.steps.filter((_, index) => index < from || index >= from + size);
      const again = await run(fewer, provider);
      if (again) least = { steps: fewer, failure: again };
      else from += size;
    }
  }
  return least;
}

test(
  `connectors make of ${roundsMin} random histories of accounts what a model makes of them (seed ${seed})`,
  async () => {
    for (let round = 0; round < roundsMin; round += 1) {
      const random = new Random(seed + round);
      const provider = random.chance(0.6) ? 'scripted' : 'whole';
      const steps = randomSteps(random, stepsOfRound);
      const failure = await run(steps, provider);
      if (!failure) continue;
      const least = await shrink(steps, provider, failure);
      throw new Error(
        `SYNC_MODEL_SEED=${seed + round} SYNC_MODEL_ROUNDS=1 ${provider}: ${JSON.stringify(least.steps)}\n${least.failure.message}`,
        { cause: least.failure },
      );
    }
  },
  120_000 + roundsMin * 10_000,
);
