import { clip } from '../../lib/characters.js';
import { FIELDS_BY_KIND, PLACING_FIELDS } from '../../sources/app-items/fields-by-kind.js';
import type {
  AppAttachment,
  AppComment,
  AppContent,
  AppKind,
  AppText,
  JsonObject,
} from '../../sources/source.types.js';
import { looksLikeHtml, looksLikeHtmlMail } from '../../text/html-text.js';
import { htmlDocument } from '../parsers/html/document.js';
import { withHistory } from '../parsers/mail/body.js';
import { markdownDocument } from '../parsers/markdown.js';
import { isReadable, ParseError } from '../parsers/parser.js';
import type { ParsedBlock, ParsedDocument } from '../parsers/parser.js';
import { plainTextDocument } from '../parsers/plain-text.js';

/** Fields that are searched as lines at the beginning of an item. */
const headerLabels: Readonly<Record<string, string>> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  author: 'Author',
  mentions: 'Mentions',
  status: 'Status',
  priority: 'Priority',
  assignee: 'Assignee',
  reporter: 'Reporter',
  created_by: 'Created by',
  updated_by: 'Updated by',
};
/** As of headings in Markdown: each chunk below repeats it. */
const headingCharactersMax = 200;
/** Trackers and wikis write Markdown; in mails and chats a line of dashes makes no heading. */
const markdownKinds: readonly AppKind[] = ['ticket', 'knowledge_base'];

/**
 * The blocks of an app item: people and states as lines, then its texts, attachments under headings of their own, and
 * comments. The title that was sent is left out: it is searched with every chunk.
 * @throws ParseError E2002 when there is nothing but people and states.
 */
export function appDocument(app: AppContent): ParsedDocument {
  const texts = [
    ...plainBlock(subordinateTitle(app)),
    ...plainBlock(app.description),
    ...fieldTexts(app).flatMap((text) => bodyBlocks(text, app)),
    ...textBlocks(app.content),
    ...dataBlocks(app),
    ...app.attachments.flatMap(attachmentBlocks),
    ...app.comments.flatMap(commentBlocks),
  ].filter(({ text }) => isReadable(text));
  if (texts.length === 0) texts.push(...plainBlock(app.title));
  if (texts.length === 0)
    throw new ParseError('E2002', `The item holds no readable text${unreadFields(app)}.`);
  return { blocks: [...headerBlocks(app), ...texts] };
}

/** What its text may have been sent as, where it has fields that are stored but not read. */
function unreadFields({ kind, fields }: AppContent): string {
  const known = new Map(Object.entries({ ...PLACING_FIELDS, ...FIELDS_BY_KIND[kind] }));
  const unread = Object.keys(fields).filter((key) => !known.has(key));
  if (unread.length === 0) return '';
  const read = [...known].flatMap(([key, rule]) => (['title', 'text', 'object'].includes(rule) ? [key] : []));
  const ignored = unread.slice(0, 5).map((key) => clip(key, 50));
  return `: what fields of kind ${kind} say is read from ${read.join(' and ')}, not from ${ignored.join(', ')}`;
}

function fieldsOf({ kind, fields }: AppContent, rule: string): unknown[] {
  const known = Object.entries(FIELDS_BY_KIND[kind]).filter(([, each]) => each === rule);
  return known.flatMap(([key]) => fields[key] ?? []);
}

function fieldTexts(app: AppContent): string[] {
  return fieldsOf(app, 'text') as string[];
}

/** The subject, or title among the fields, where it is not what was sent as the title. */
function subordinateTitle(app: AppContent): string | undefined {
  const named = namedTitle(app);
  return named === app.title ? undefined : named;
}

function namedTitle(app: AppContent): string | undefined {
  const [named] = fieldsOf(app, 'title') as string[];
  return named;
}

function headerBlocks({ kind, fields }: AppContent): ParsedBlock[] {
  const lines = Object.keys(FIELDS_BY_KIND[kind]).flatMap((key) => {
    const label = headerLabels[key];
    const value = fields[key] as string | string[] | undefined;
    return label === undefined || value === undefined ? [] : [`${label}: ${[value].flat().join(', ')}`];
  });
  return lines.length > 0 ? [{ text: lines.join('\n'), headings: [], keepTogether: true }] : [];
}

function bodyBlocks(source: string, app: AppContent): ParsedBlock[] {
  const text = withLineFeeds(source);
  const { kind } = app;
  if (kind === 'email') {
    const blocks = looksLikeHtmlMail(text) ? htmlBlocks(text, 'mail') : plainTextDocument(text).blocks;
    return withHistory(blocks, namedTitle(app) ?? app.title ?? '');
  }
  if (looksLikeHtml(text)) return htmlBlocks(text);
  return (markdownKinds.includes(kind) ? markdownDocument(text) : plainTextDocument(text)).blocks;
}

function textBlocks(content: AppText | null): ParsedBlock[] {
  if (content === null) return [];
  if ('markdown' in content) return markdownDocument(withLineFeeds(content.markdown)).blocks;
  const text = withLineFeeds(content.text);
  return looksLikeHtml(text) ? htmlBlocks(text) : plainTextDocument(text).blocks;
}

/** All of a fragment: what is sent by an application is content. One that cannot be parsed is searched as it stands. */
function htmlBlocks(text: string, part: 'whole' | 'mail' = 'whole'): ParsedBlock[] {
  try {
    return htmlDocument(text, part).blocks;
  } catch {
    return plainTextDocument(text).blocks;
  }
}

/** The free-form object of a custom item, a line for each of its values. */
function dataBlocks(app: AppContent): ParsedBlock[] {
  const [data] = fieldsOf(app, 'object') as JsonObject[];
  const lines = data ? dataLines(data, '') : [];
  return lines.length > 0 ? [{ text: lines.join('\n'), headings: [], keepTogether: true }] : [];
}

function dataLines(value: unknown, path: string): string[] {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((entry) => dataLines(entry, path));
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [path === '' ? text : `${path}: ${text}`];
  }
  return Object.entries(value).flatMap(([key, entry]) =>
    dataLines(entry, path === '' ? key : `${path}.${key}`),
  );
}

function attachmentBlocks(attachment: AppAttachment, index: number): ParsedBlock[] {
  const name = attachment.title ?? attachment.id ?? String(index + 1);
  const heading = `Attachment: ${clip(name, headingCharactersMax)}`;
  const layout = { attachment: attachment.id ?? index + 1 };
  const blocks = textBlocks(attachment.content).filter(({ text }) => /\S/.test(text));
  if (blocks.length === 0)
    return attachment.title === null ? [] : [{ text: `Attachment: ${name}`, headings: [], layout }];
  return blocks.map((block) => ({ ...block, headings: [heading, ...block.headings], layout }));
}

function commentBlocks({ id, author, body }: AppComment, index: number): ParsedBlock[] {
  const said = withLineFeeds(body);
  const texts = looksLikeHtml(said) ? htmlBlocks(said).map(({ text }) => text) : [said.trim()];
  const text = texts.join('\n\n');
  if (!/\S/.test(text)) return [];
  return [
    {
      text: author === null ? text : `${author}: ${text}`,
      headings: [],
      layout: { comment: id ?? index + 1 },
    },
  ];
}

function plainBlock(text: string | null | undefined): ParsedBlock[] {
  return text ? [{ text, headings: [] }] : [];
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
