import { isConnectorUrl, variableNames } from './config.js';

/** A variable that has no effect, and why. */
export interface IgnoredVariable {
  readonly variable: string;
  readonly reason: string;
}

/** By the variable of an address: those that have an effect only with it. */
const needed: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: ['DATABASE_POOL_SIZE', 'STATEMENT_TIMEOUT_MS'],
  EMBEDDINGS_URL: [
    'EMBEDDINGS_MODEL',
    'EMBEDDINGS_API_KEY',
    'EMBEDDINGS_QUERY_PROMPT',
    'EMBEDDINGS_DOCUMENT_PROMPT',
  ],
  LLM_URL: ['LLM_MODEL', 'LLM_API_KEY'],
  RERANK_URL: ['RERANK_MODEL', 'RERANK_API_KEY'],
};
/**
 * One typing error is accepted per this many characters: short names such as HOST and HOME resemble others
 * too easily.
 */
const charactersPerError = 5;
const errorsMax = 3;

/**
 * Finds variables that were meant for the server but have no effect: they belong to one that is not set, or
 * are misspelt.
 */
export function ignoredVariables(environment: NodeJS.ProcessEnv): IgnoredVariable[] {
  const given = Object.keys(environment).filter((name) => environment[name]?.trim());
  const alone = Object.entries(needed).flatMap(([url, names]) =>
    given.includes(url)
      ? []
      : names
          .filter((name) => given.includes(name))
          .map((variable) => ({ variable, reason: `it has no effect without ${url}` })),
  );
  const misspelt = given.flatMap((variable): IgnoredVariable[] => {
    const meant = isOurs(variable) ? undefined : meantBy(variable);
    return meant === undefined ? [] : [{ variable, reason: `it is unknown; did you mean ${meant}?` }];
  });
  return [...alone, ...misspelt];
}

function isOurs(name: string): boolean {
  return variableNames.includes(name) || isConnectorUrl(name);
}

/** The nearest of our names, if it is near. Names of a single word are common elsewhere, and not compared. */
function meantBy(given: string): string | undefined {
  const name = given.toUpperCase();
  let nearest: { name: string; errors: number } | undefined;
  for (const ours of variableNames.filter((each) => each.includes('_'))) {
    const most = Math.min(Math.floor(ours.length / charactersPerError), errorsMax);
    if (Math.abs(name.length - ours.length) > most) continue;
    const errors = errorsBetween(name, ours);
    if (errors <= most && errors < (nearest?.errors ?? Infinity)) nearest = { name: ours, errors };
  }
  return nearest?.name;
}

/** How many characters are missing, added or replaced (Levenshtein distance). */
function errorsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (character === other[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
