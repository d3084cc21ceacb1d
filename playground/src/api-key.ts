/** Session storage: the key is gone when the browser tab closes and never reaches other tabs. */
const STORAGE_KEY = 'contexture:api-key';

export const ENDPOINT = '/graphql';

export function storedKey(): string | null {
  return sessionStorage.getItem(STORAGE_KEY);
}

export function storeKey(key: string): void {
  sessionStorage.setItem(STORAGE_KEY, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}

export function authorization(key: string): string {
  return `Bearer ${key}`;
}

/** The public half of a key (`ctx_…`), which is safe to show. */
export function keyPrefix(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

/** Asks the server about a key. Answers nothing when it is good, else the reason in the server's own words. */
export async function problemWithKey(key: string): Promise<string | undefined> {
  // A header cannot carry anything else, and fetch would only say "TypeError".
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'This is not an API key: a key has no spaces or special characters.';
  let response: Response;
  try {
    response = await fetch(ENDPOINT, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: authorization(key),
      },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
  } catch {
    return 'The server does not answer. Is it still running?';
  }
  const message = errorMessage(await response.text());
  if (response.ok && message === undefined) return undefined;
  return message ?? `The server answered ${response.status} ${response.statusText}.`;
}

/** The message of a failed GraphQL response, or of the REST error envelope. */
function errorMessage(body: string): string | undefined {
  try {
    const { errors, error } = JSON.parse(body) as {
      errors?: { message?: string }[];
      error?: { message?: string } | null;
    };
    return errors?.[0]?.message ?? error?.message;
  } catch {
    return undefined;
  }
}
