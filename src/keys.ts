import { parseArgs } from 'node:util';
import { Account } from './accounts/account.entity.js';
import { ApiKey, Scope } from './accounts/api-key.entity.js';
import { ApiKeysService } from './accounts/api-keys.service.js';
import { readConfig } from './config.js';
import { checkDatabaseName } from './databases/database-name.js';
import { invalidInput } from './errors.js';
import { systemClock } from './lib/clock.js';
import { readIsoTime } from './lib/iso-time.js';
import { reasonOf } from './lib/reason-of.js';
import { openPostgres } from './postgres/postgres.js';

// npm run keys: makes, lists and revokes API keys, for the operator on the server's machine, who needs no
// key.

const usage = `npm run -s keys -- create --scope read,write,admin [--account NAME] [--name TEXT] [--databases A,B] [--principals P,Q] [--expires ISO]
npm run -s keys -- list
npm run -s keys -- revoke PREFIX`;

/** How many arguments follow each command. */
const operands = new Map([
  ['create', 0],
  ['list', 0],
  ['revoke', 1],
]);

/**
 * @throws TypeError for an unknown option; AppError for an unknown command, or one with too many or too few
 * arguments
 */
function readArguments() {
  const given = parseArgs({
    allowPositionals: true,
    options: {
      account: { type: 'string', default: 'default' },
      name: { type: 'string', default: 'command line' },
      scope: { type: 'string', multiple: true },
      databases: { type: 'string', multiple: true },
      principals: { type: 'string', multiple: true },
      expires: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { positionals, values } = given;
  if (values.help) return given;
  const [command = '', ...rest] = positionals;
  const expected = operands.get(command);
  if (expected === undefined)
    throw invalidInput(
      'command',
      `"${command}" is not one of ${[...operands.keys()].join(', ')}; see --help`,
    );
  if (rest.length > expected)
    throw invalidInput('command', `${command} does not take "${rest[expected]}"; see --help`);
  if (rest.length < expected) throw invalidInput('command', `${command} needs a prefix; see --help`);
  return given;
}

const isScope = (text: string): text is Scope => Object.hasOwn(Scope, text);

/** An option that is a list: repeated, comma-separated or both; undefined when it was not given. */
function readList(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '');
}

function readScopes(texts: readonly string[] | undefined): Scope[] {
  if (!texts?.length)
    throw invalidInput('scope', `must name what the key may do: ${Object.keys(Scope).join(', ')}`);
  return texts.map((text) => {
    if (isScope(text)) return text;
    throw invalidInput('scope', `"${text}" is not one of ${Object.keys(Scope).join(', ')}`);
  });
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = readIsoTime(text);
  if (!date) throw invalidInput('expires', `"${text}" is not an ISO 8601 time`);
  return date;
}

function readDatabases(texts: readonly string[] | undefined): string[] | null {
  const names = readList(texts) ?? null;
  for (const name of names ?? []) checkDatabaseName(name, 'databases');
  return names;
}

function describe(key: ApiKey & { account: string }): string {
  const limits = [
    key.databases && `databases ${key.databases.join(',')}`,
    key.principals && `principals ${key.principals.join(',')}`,
    key.expiresAt && `expires ${key.expiresAt.toISOString()}`,
    key.revokedAt && `revoked ${key.revokedAt.toISOString()}`,
  ].filter(Boolean);
  return [key.prefix, key.account, key.scopes.join(','), key.name, ...limits].join('\t');
}

async function run(
  keys: ApiKeysService,
  { positionals: [command, prefix], values }: ReturnType<typeof readArguments>,
): Promise<string> {
  switch (command) {
    case 'create': {
      const made = await keys.createFor(values.account, {
        name: values.name,
        scopes: readScopes(readList(values.scope)),
        databases: readDatabases(values.databases),
        principals: readList(values.principals) ?? null,
        expiresAt: readExpiry(values.expires),
      });
      return made.key;
    }
    case 'list':
      return (await keys.listAll()).map(describe).join('\n');
    default:
      return `revoked ${(await keys.revokeAny(prefix ?? '')).prefix}`;
  }
}

async function main(): Promise<void> {
  const given = readArguments();
  if (given.values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const postgres = await openPostgres(readConfig(process.env), [Account, ApiKey], { joinRunning: true });
  try {
    process.stdout.write(
      `${await run(new ApiKeysService({ postgres: postgres.dataSource, clock: systemClock }), given)}\n`,
    );
  } finally {
    await postgres.close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
