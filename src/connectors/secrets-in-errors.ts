import type { JsonObject } from '../sources/source.types.js';
import type { Entry, Page, Session } from './provider.js';

const secretNames = /token|secret|password|api_key/;
/** What is shorter says nothing to whoever reads it, and stands in ordinary words. */
const secretCharactersMin = 4;

/** A session whose errors do not hold its credentials, whatever a server repeats of what it was sent. */
export function withoutSecrets(session: Session, credentials: JsonObject): Session {
  const secrets = secretsOf(credentials);
  if (secrets.length === 0) return session;
  const clean = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw cutOut(error, secrets);
    }
  };
  const cleanEntry = (entry: Entry): Entry => ({
    ...entry,
    load: (signal) =>
      clean(async () => {
        const item = await entry.load(signal);
        const file = item?.file;
        return file ? { ...item, file: { ...file, open: (within) => clean(() => file.open(within)) } } : item;
      }),
  });
  const cleanPage = (read: () => Promise<Page>) =>
    clean(async () => {
      const page = await read();
      return { ...page, entries: page.entries.map(cleanEntry) };
    });
  const whole = session as Required<Session>;
  return {
    check: (signal) => clean(() => session.check(signal)),
    discover: (page, signal) => clean(() => session.discover(page, signal)),
    describe: (resourceId, signal) => clean(() => session.describe(resourceId, signal)),
    read: (resource, cursor, signal) => cleanPage(() => session.read(resource, cursor, signal)),
    ...(session.walk && {
      walk: (resource, cursor, signal) => cleanPage(() => whole.walk(resource, cursor, signal)),
    }),
    ...(session.readers && { readers: (resource, signal) => clean(() => whole.readers(resource, signal)) }),
    close: () => clean(() => session.close()),
  };
}

/** The values of credentials that nobody else may know, as they are and as they stand in addresses. */
function secretsOf(credentials: JsonObject): string[] {
  const values = Object.entries(credentials).flatMap(([name, value]) =>
    secretNames.test(name) && typeof value === 'string' && value.length >= secretCharactersMin ? [value] : [],
  );
  return [...new Set(values.flatMap((value) => [value, encodeURIComponent(value)]))];
}

/** The error itself, and what caused it, with dots in place of secrets. */
function cutOut(error: unknown, secrets: readonly string[]): unknown {
  for (let each = error; each instanceof Error; each = each.cause)
    for (const part of ['message', 'stack'] as const) {
      const text = each[part] ?? '';
      const cut = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
      // Of errors that hold no secret some cannot be written to.
      if (cut !== text) Object.defineProperty(each, part, { value: cut });
    }
  return error;
}
