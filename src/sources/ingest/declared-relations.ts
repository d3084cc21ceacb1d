import { z } from 'zod';
import { invalidInput } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { readExternalId, readProvider } from '../app-items/app-fields.js';
import type { JsonObject } from '../source.types.js';
import { canonicalPredicate } from './canonical-predicate.js';
import { readId } from './item-id.js';
import { checkJsonBytes } from './json-size.js';

/**
 * A link to another item of the same corpus, declared at ingest; an item that does not exist yet is a stub.
 */
export interface DeclaredRelation {
  /** In canonical form: lower case, spaces as underscores. */
  readonly predicate: string;
  readonly rawPredicate: string;
  readonly target: { readonly id: string } | { readonly provider: string; readonly externalId: string };
  readonly properties: JsonObject;
}

const predicateDefault = 'relates_to';

const properties = z.record(z.string(), z.unknown()).nullish();
const byIds = z.object({ ids: z.array(z.string()), properties });
const name = z.string().trim().min(1).max(LIMITS.graphNameCharactersMax);
const entry = z.object({
  predicate: name.nullish(),
  // By one of them: which of two is meant, nobody could say.
  target: z.union([
    z.object({ id: z.string(), provider: z.null().optional(), external_id: z.null().optional() }),
    z.object({ id: z.null().optional(), provider: z.string(), external_id: z.string() }),
  ]),
  properties,
});

const entryProblem = `must hold predicate of 1 to ${LIMITS.graphNameCharactersMax} characters, target {id} or {provider, external_id}, and properties as an object`;

/**
 * Reads links in either form: `{ids, properties}` or a list of `{predicate, target, properties}`. Null or
 * absent means none. @throws AppError INVALID_INPUT naming the field and what it must be
 */
export function readRelations(given: unknown, path: string): readonly DeclaredRelation[] {
  if (given == null) return [];
  return Array.isArray(given) ? readList(given, path) : readIds(given, path);
}

function checkCount(links: number, path: string): void {
  if (links > LIMITS.relationsPerItemMax)
    throw invalidInput(path, `has ${links} links; at most ${LIMITS.relationsPerItemMax}`);
}

function readIds(given: unknown, path: string): DeclaredRelation[] {
  const parsed = byIds.safeParse(given);
  if (!parsed.success)
    throw invalidInput(path, 'must be {ids: [item ids], properties} or a list of {predicate, target}');
  const ids = [...new Set(parsed.data.ids)];
  checkCount(ids.length, path);
  const shared = readProperties(parsed.data.properties, `${path}.properties`);
  return ids.map((id, index) => ({
    predicate: predicateDefault,
    rawPredicate: predicateDefault,
    target: { id: readId(id, `${path}.ids[${index}]`) },
    properties: shared,
  }));
}

function readList(given: readonly unknown[], path: string): DeclaredRelation[] {
  checkCount(given.length, path);
  return given.map((value, index) => {
    const at = `${path}[${index}]`;
    const parsed = entry.safeParse(value);
    if (!parsed.success) throw invalidInput(at, entryProblem);
    const { predicate, target } = parsed.data;
    const raw = predicate ?? predicateDefault;
    return {
      predicate: canonicalPredicate(raw),
      rawPredicate: raw,
      target:
        typeof target.id === 'string'
          ? { id: readId(target.id, `${at}.target.id`) }
          : readExternalTarget(target, at),
      properties: readProperties(parsed.data.properties, `${at}.properties`),
    };
  });
}

/** An item by the id that its own application gives it, within the limits of that id. */
function readExternalTarget(
  target: { provider: string; external_id: string },
  path: string,
): { provider: string; externalId: string } {
  const provider = readProvider(target.provider, `${path}.target.provider`);
  const externalId = readExternalId(target.external_id, `${path}.target.external_id`);
  if (provider === undefined || externalId === undefined) throw invalidInput(path, entryProblem);
  return { provider, externalId };
}

function readProperties(given: JsonObject | null | undefined, path: string): JsonObject {
  checkJsonBytes(given ?? {}, path, LIMITS.relationPropertiesBytesMax);
  return given ?? {};
}
