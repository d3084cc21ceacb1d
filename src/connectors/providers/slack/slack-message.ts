import { hash } from 'node:crypto';
import type { AppAttachment } from '../../../sources/source.types.js';

/** The parts of a Slack message that are read. */
export interface SlackMessage {
  readonly ts: string;
  readonly subtype?: string;
  readonly text?: string;
  readonly user?: string;
  readonly username?: string;
  readonly bot_id?: string;
  readonly bot_profile?: { readonly name?: string };
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly edited?: { readonly ts?: string };
  readonly blocks?: readonly SlackBlock[];
  readonly attachments?: readonly SlackAttachment[];
  readonly files?: readonly SlackFile[];
}

/** A layout block, or an element of one; its keys depend on its type. */
interface SlackBlock {
  readonly type?: string;
  readonly text?: string | SlackBlock;
  readonly fields?: readonly SlackBlock[];
  readonly elements?: readonly SlackBlock[];
  readonly title?: string | SlackBlock;
  readonly alt_text?: string;
  readonly url?: string;
  readonly name?: string;
  readonly range?: string;
  readonly user_id?: string;
  readonly channel_id?: string;
  readonly usergroup_id?: string;
  readonly fallback?: string;
  readonly style?: unknown;
}

interface SlackAttachment {
  readonly fallback?: string;
  readonly pretext?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly text?: string;
  readonly fields?: readonly { readonly title?: string; readonly value?: string }[];
  readonly blocks?: readonly SlackBlock[];
  /** The address of the link, if the attachment is a link's preview. */
  readonly from_url?: string;
}

interface SlackFile {
  readonly id?: string;
  readonly mode?: string;
  readonly name?: string;
  readonly title?: string;
  readonly mimetype?: string;
  readonly permalink?: string;
  readonly size?: number;
  /** The beginning of a text snippet. */
  readonly preview?: string;
}

/** The subtypes of messages with something said; joins, topics, pins and the like are left out. */
const saying: ReadonlySet<string | undefined> = new Set([
  undefined,
  'bot_message',
  'me_message',
  'file_share',
  'file_comment',
  'thread_broadcast',
  'slackbot_response',
]);

/** Whether somebody said something in a message. */
export function isSaid({ subtype }: SlackMessage): boolean {
  return saying.has(subtype);
}

/** Whether a bot or an app posted a message. */
export function isBot({ subtype, bot_id }: SlackMessage): boolean {
  return subtype === 'bot_message' || bot_id !== undefined;
}

/**
 * The whole text of a message as mrkdwn: its text or else its blocks, and what programs attached. Previews of
 * links are left out beside other text.
 */
export function messageSource({ text = '', blocks = [], attachments = [] }: SlackMessage): string {
  const written = text.trim() || joined(blocks.map(blockText));
  const attached = attachments.filter(({ from_url }) => from_url === undefined || written === '');
  return joined([written, ...attached.map(attachmentText)]);
}

/**
 * Changes whenever something that is kept of a message does: its text (including previews that appear later),
 * author or files.
 */
export function messageVersion(message: SlackMessage): string {
  const { user, username, edited, files = [] } = message;
  const named = files.map(({ id, title, name, preview }) => [id, title, name, preview]);
  return hash('sha256', JSON.stringify([messageSource(message), user, username, edited?.ts, named])).slice(
    0,
    24,
  );
}

/** The files of a message by name, snippets with the beginning of their text; removed ones are left out. */
export function messageFiles({ files = [] }: SlackMessage): Partial<AppAttachment>[] {
  const there = files.filter(({ mode, title, name }) => !hiddenModes.has(mode) && (title ?? name));
  return there.slice(0, filesMax).map(({ id, title, name, permalink, mimetype, size, preview }) => ({
    id: id ?? null,
    title: title && name && title !== name ? `${title} (${name})` : (title ?? name ?? null),
    url: permalink ?? null,
    contentType: mimetype ?? null,
    sizeBytes: size ?? null,
    content: preview ? { text: preview } : null,
  }));
}

const filesMax = 200;
const hiddenModes: ReadonlySet<string | undefined> = new Set(['tombstone', 'hidden_by_limit']);

function attachmentText({
  pretext,
  title,
  title_link,
  text,
  fields,
  blocks,
  fallback,
}: SlackAttachment): string {
  const headed = title && title_link ? `<${title_link}|${title}>` : title;
  const named = (fields ?? []).map((field) => [field.title, field.value].filter(Boolean).join(': '));
  return joined([pretext, headed, text, ...named, ...(blocks ?? []).map(blockText)]) || (fallback ?? '');
}

/** The text of a block: sections, headers, contexts, images and rich text. Blocks to click on have none. */
function blockText(block: SlackBlock): string {
  const { type, text, fields = [], elements = [], title, alt_text } = block;
  switch (type) {
    case 'rich_text':
      return joined(elements.map((element) => richText(element)));
    case 'context':
      return elements.map(plainText).filter(Boolean).join(' ');
    case 'image':
    case 'video':
      return plainText(title) || (alt_text ?? '');
    case 'actions':
    case 'input':
      return '';
    default:
      return joined([plainText(text), ...fields.map(plainText)]);
  }
}

function plainText(text: string | SlackBlock | undefined): string {
  if (text === undefined || typeof text === 'string') return text ?? '';
  return typeof text.text === 'string' ? text.text : (text.alt_text ?? '');
}

/** The text of a rich text element: a section, a list, a quotation, code, or lists within lists. */
function richText({ type, elements = [] }: SlackBlock): string {
  if (type === 'rich_text_list') return elements.map((element) => `• ${richText(element)}`).join('\n');
  const inner = elements.map(richInline).join('');
  if (type === 'rich_text_preformatted') return `\`\`\`${inner}\`\`\``;
  return type === 'rich_text_quote' ? inner.replace(/^/gm, '&gt; ') : inner;
}

function richInline(element: SlackBlock): string {
  const { type, text, url, user_id, channel_id, usergroup_id, name, range, fallback } = element;
  const said = typeof text === 'string' ? escaped(text) : '';
  switch (type) {
    case 'link':
      return said ? `<${url}|${said}>` : `<${url}>`;
    case 'user':
      return `<@${user_id}>`;
    case 'channel':
      return `<#${channel_id}>`;
    case 'usergroup':
      return `<!subteam^${usergroup_id}>`;
    case 'broadcast':
      return `<!${range}>`;
    case 'emoji':
      return `:${name}:`;
    case 'date':
      return escaped(fallback ?? '');
    default:
      return said;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part?.trim()).join('\n');
}
