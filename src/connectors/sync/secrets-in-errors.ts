import type { JsonObject } from '../../sources/source.types.js';
import type { Entry, Page, Session } from '../provider.js';

const secretNames = /token|secret|password|api_key/;
/** Shorter values tell a reader nothing, and also occur in ordinary words. */
const secretCharactersMin = 4;
const base64CharactersMin = 6;

/**
 * Wraps a session so that its errors, and what it says of parts that are not listed, never contain its credentials, even if a
 * server repeats what it was sent.
 */
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
      const { entries, unlisted } = page;
      return {
        ...page,
        entries: entries.map(cleanEntry),
        ...(unlisted && {
          unlisted: unlisted.map((part) => ({ ...part, problem: withDots(part.problem, secrets) })),
        }),
      };
    });
  const walk = session.walk?.bind(session);
  const readers = session.readers?.bind(session);
  return {
    check: (signal) => clean(() => session.check(signal)),
    discover: (page, signal) => clean(() => session.discover(page, signal)),
    describe: (resourceId, signal) => clean(() => session.describe(resourceId, signal)),
    read: (resource, cursor, signal) => cleanPage(() => session.read(resource, cursor, signal)),
    ...(walk && { walk: (resource, cursor, signal) => cleanPage(() => walk(resource, cursor, signal)) }),
    ...(readers && { readers: (resource, signal) => clean(() => readers(resource, signal)) }),
    close: () => clean(() => session.close()),
  };
}

/** The secret values in credentials, as they are and as they are encoded in URLs and logins. */
function secretsOf(credentials: JsonObject): string[] {
  const values = Object.entries(credentials).flatMap(([name, value]) =>
    secretNames.test(name) && typeof value === 'string' && value.length >= secretCharactersMin ? [value] : [],
  );
  const forms = values.flatMap((value) => [value, encodeURIComponent(value), ...inBase64(value)]);
  return [...new Set(forms)];
}

/**
 * How a text looks within longer ones in base64, as in `Authorization: Basic`, by where a group of three bytes begins. The
 * characters that it shares with what stands around it are left out.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return own.length >= base64CharactersMin ? [own] : [];
  });
}

function withDots(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** Replaces secrets by dots in an error and its causes, in place. */
function cutOut(error: unknown, secrets: readonly string[]): unknown {
  for (let each = error; each instanceof Error; each = each.cause)
    for (const part of ['message', 'stack'] as const) {
      const text = each[part] ?? '';
      const cut = withDots(text, secrets);
      // Errors without secrets are left alone: some cannot be written to.
      if (cut !== text) Object.defineProperty(each, part, { value: cut });
    }
  return error;
}
