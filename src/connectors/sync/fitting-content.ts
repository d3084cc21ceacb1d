import { clip } from '../../lib/characters.js';
import { readIsoTime } from '../../lib/iso-time.js';
import { LIMITS } from '../../limits.js';
import { FIELDS_BY_KIND } from '../../sources/app-items/fields-by-kind.js';
import type { FieldRule } from '../../sources/app-items/fields-by-kind.js';
import type { AppKind, JsonObject } from '../../sources/source.types.js';
import type { Item } from '../provider.js';

type Fit = (value: unknown) => unknown;

const clipped =
  (charactersMax: number): Fit =>
  (value) =>
    typeof value === 'string' ? clip(value, charactersMax) : value;
const value = clipped(LIMITS.appValueCharactersMax);

/** What of a field can be stored, by its rule; undefined where nothing of it can. */
const fits: Readonly<Partial<Record<FieldRule, Fit>>> = {
  title: clipped(LIMITS.titleCharactersMax),
  value,
  values: (given) =>
    Array.isArray(given) ? given.slice(0, LIMITS.appFieldValuesMax).map((each) => value(each)) : given,
  time: (given) => (typeof given === 'string' ? (fittingTime(given) ?? undefined) : given),
  url: (given) => (typeof given === 'string' ? (fittingUrl(given) ?? undefined) : given),
};

/** Fields as far as they can be stored: one that is too long, or has an impossible time, costs no more than itself. */
export function fittingFields(kind: AppKind, fields: JsonObject): JsonObject {
  const rules = FIELDS_BY_KIND[kind];
  const fitting = Object.entries(fields).flatMap(([name, given]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const fit = (rule && fits[rule]) ?? ((each: unknown) => each);
    const kept = fit(given);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(fitting);
}

/** Attachments in the same way. */
export function fittingAttachments(attachments: NonNullable<Item['attachments']>) {
  return attachments.slice(0, LIMITS.appAttachmentsMax).map((attachment) => {
    const { title, url, contentType, sizeBytes } = attachment;
    return {
      ...attachment,
      ...(title && { title: clip(title, LIMITS.titleCharactersMax) }),
      ...(url && { url: fittingUrl(url) }),
      ...(contentType && { contentType: clip(contentType, LIMITS.appValueCharactersMax) }),
      ...(sizeBytes != null && {
        sizeBytes: Number.isSafeInteger(sizeBytes) && sizeBytes >= 0 ? sizeBytes : null,
      }),
    };
  });
}

/** Comments in the same way; of too many the last count. */
export function fittingComments(comments: NonNullable<Item['comments']>) {
  return comments.slice(-LIMITS.appCommentsMax).map((comment) => {
    const { author, createdAt } = comment;
    return {
      ...comment,
      ...(author && { author: clip(author, LIMITS.appValueCharactersMax) }),
      ...(createdAt && { createdAt: fittingTime(createdAt) }),
    };
  });
}

/** A time that can be stored; null for any other. */
export function fittingTime(time: string | undefined): string | null {
  return time !== undefined && readIsoTime(time.trim()) ? time : null;
}

/** An address that is short enough; null for a longer one. */
export function fittingUrl(url: string | undefined): string | null {
  return url !== undefined && url.length <= LIMITS.urlCharactersMax ? url : null;
}
