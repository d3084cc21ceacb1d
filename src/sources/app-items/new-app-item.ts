import { invalidInput } from '../../errors.js';
import { checkCount } from '../../lib/bounded-number.js';
import { readIsoTime } from '../../lib/iso-time.js';
import { LIMITS } from '../../limits.js';
import { firstWordsOfHtml, looksLikeHtml, looksLikeHtmlMail } from '../../text/html-text.js';
import { encodedInIds } from '../ingest/item-id.js';
import { firstLine, readItemFields, refuseOtherPlace, withoutHeadingMark } from '../ingest/new-source.js';
import type { ItemContext, NewSource } from '../ingest/new-source.js';
import type { AppAttachment, AppComment, AppContent, AppText } from '../source.types.js';
import {
  readBounded,
  readExternalId,
  readFields,
  readKind,
  readObject,
  readProvider,
  readTime,
} from './app-fields.js';
import type {
  AppAttachmentInput,
  AppCommentInput,
  AppKnowledgeInput,
  AppTextInput,
} from './app-item.types.js';
import { FIELDS_BY_KIND } from './fields-by-kind.js';

/** Checks one app item. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readAppItem(item: AppKnowledgeInput, path: string, context: ItemContext): NewSource {
  refuseOtherPlace(item, path, context);
  const app = readContent(item, path);
  const shared = readItemFields({ ...item, id: item.id || derivedId(app, path) || null }, path, context);
  return {
    ...shared,
    title: titleOf(app) || shared.id,
    filename: null,
    contentType: null,
    contentBytes: Buffer.byteLength(JSON.stringify(app)),
    storageKey: null,
    memory: null,
    app,
    expiresAt: null,
  };
}

function readContent(item: AppKnowledgeInput, path: string): AppContent {
  const kind = readKind(item, path);
  const fields = readFields(item.fields ?? {}, kind, `${path}.fields`);
  const own = FIELDS_BY_KIND[kind];
  const time =
    optional(item.timestamp, `${path}.timestamp`, readTime) ?? (own['created_at'] && fields['created_at']);
  const url = bounded(item.url, `${path}.url`, LIMITS.urlCharactersMax) ?? (own['url'] && fields['url']);
  return {
    kind,
    title: bounded(item.title, `${path}.title`, LIMITS.titleCharactersMax),
    provider: optional(item.provider, `${path}.provider`, readProvider),
    externalId: optional(item.externalId, `${path}.external_id`, readExternalId),
    type: bounded(item.type, `${path}.type`, LIMITS.appValueCharactersMax),
    description: bounded(item.description, `${path}.description`, LIMITS.descriptionCharactersMax),
    url: (url as string | undefined) ?? null,
    timestamp: time ? (readIsoTime(time as string)?.toISOString() ?? null) : null,
    fields,
    content: readText(item.content, `${path}.content`),
    attachments: readItems(item.attachments, readAttachment, {
      path: `${path}.attachments`,
      max: LIMITS.appAttachmentsMax,
    }),
    comments: readItems(item.comments, readComment, {
      path: `${path}.comments`,
      max: LIMITS.appCommentsMax,
    }),
  };
}

function readAttachment(attachment: AppAttachmentInput, path: string): AppAttachment {
  const { sizeBytes, properties } = attachment;
  if (sizeBytes != null && (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0))
    throw invalidInput(`${path}.size_bytes`, `must be a whole number from 0, not ${sizeBytes}`);
  return {
    id: optional(attachment.id, `${path}.id`, readExternalId),
    title: bounded(attachment.title, `${path}.title`, LIMITS.titleCharactersMax),
    url: bounded(attachment.url, `${path}.url`, LIMITS.urlCharactersMax),
    contentType: bounded(attachment.contentType, `${path}.content_type`, LIMITS.appValueCharactersMax),
    sizeBytes: sizeBytes ?? null,
    content: readText(attachment.content, `${path}.content`),
    properties: optional(properties, `${path}.properties`, readObject),
  };
}

function readComment(comment: AppCommentInput, path: string): AppComment {
  return {
    id: optional(comment.id, `${path}.id`, readExternalId),
    author: bounded(comment.author, `${path}.author`, LIMITS.appValueCharactersMax),
    body: comment.body,
    createdAt: optional(comment.createdAt, `${path}.created_at`, readTime),
  };
}

function readItems<Item, Read>(
  items: readonly Item[] | null | undefined,
  read: (item: Item, path: string) => Read,
  { path, max }: { path: string; max: number },
): Read[] {
  checkCount(items?.length ?? 0, path, { noun: 'entries', max });
  return (items ?? []).map((item, index) => read(item, `${path}[${index}]`));
}

function readText(given: AppTextInput | null | undefined, path: string): AppText | null {
  const { text, markdown } = given ?? {};
  if (text != null && markdown != null) throw invalidInput(path, 'has text and markdown; send one of them');
  if (text != null) return { text };
  return markdown != null ? { markdown } : null;
}

function bounded(value: string | null | undefined, path: string, charactersMax: number): string | null {
  return optional(value, path, (given) => readBounded(given, path, charactersMax));
}

function optional<Value, Read>(
  value: Value | null | undefined,
  path: string,
  read: (value: Value, path: string) => Read | undefined,
): Read | null {
  return value == null ? null : (read(value, path) ?? null);
}

/** Stays the same for the same item of an application, and no two items share one. */
function derivedId({ provider, externalId }: AppContent, path: string): string | undefined {
  if (provider === null || externalId === null) return undefined;
  const id = appItemId(provider, externalId);
  const bytes = Buffer.byteLength(id);
  if (bytes <= LIMITS.itemIdBytesMax) return id;
  const problem = `made of provider and external_id has ${bytes} bytes; at most ${LIMITS.itemIdBytesMax}, send an id`;
  throw invalidInput(`${path}.id`, problem);
}

/** The id of an item that was sent without one, made of its id in the other application. */
export function appItemId(provider: string, externalId: string): string {
  return `${encode(provider).replaceAll(':', '%3A')}:${encode(externalId)}`;
}

function encode(text: string): string {
  return text.replace(encodedInIds, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function titleOf({ kind, title, fields, content, description }: AppContent): string {
  const rules = Object.entries(FIELDS_BY_KIND[kind]);
  const first = (rule: 'title' | 'text') => {
    const key = rules.find(([, each]) => each === rule)?.[0];
    return key === undefined ? undefined : (fields[key] as string | undefined);
  };
  const named = title ?? first('title');
  if (named) return named;
  const given = content && ('text' in content ? content.text : content.markdown);
  const text = [given, first('text'), description].find((each) => each && /\S/.test(each)) ?? '';
  const isHtml = kind === 'email' ? looksLikeHtmlMail(text) : looksLikeHtml(text);
  return firstLine(isHtml ? firstWordsOfHtml(text) : withoutHeadingMark(text));
}
