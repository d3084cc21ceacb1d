import { linkedText } from '../../../ingestion/parsers/linked-text.js';
import { inOneLine } from '../../../text/one-line.js';

/** A node of the Atlassian Document Format, in which Jira and Confluence keep rich text. */
export interface AdfNode {
  readonly type?: string;
  readonly text?: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly marks?: readonly { readonly type?: string; readonly attrs?: Readonly<Record<string, unknown>> }[];
  readonly content?: readonly AdfNode[];
}

/** Editors allow a handful of levels; deeper nesting was made to do harm. */
const depthMax = 60;
const columnsMax = 100;

/**
 * Rich text as Markdown: what is read, without marks of emphasis, which would keep a sentence from being
 * found. Text that is already a string (wiki markup of old interfaces) is returned unchanged.
 */
export function adfToMarkdown(document: unknown): string {
  if (typeof document === 'string') return document.trim();
  if (typeof document !== 'object' || document === null) return '';
  return blocks((document as AdfNode).content, 0);
}

type Write = (node: AdfNode, depth: number) => string;

const blockWriters: Readonly<Record<string, Write>> = {
  paragraph: (node, depth) => inline(node.content, depth).trim(),
  heading: (node, depth) => heading(numberOf(node, 'level') ?? 1, inOneLine(inline(node.content, depth))),
  bulletList: (node, depth) => list(node, () => '- ', depth),
  orderedList: (node, depth) => list(node, (index) => `${(numberOf(node, 'order') ?? 1) + index}. `, depth),
  taskList: (node, depth) => list(node, (_, item) => `- ${taskBox(item)}`, depth),
  decisionList: (node, depth) => list(node, () => '- ', depth),
  taskItem: (node, depth) => inline(node.content, depth).trim(),
  decisionItem: (node, depth) => inline(node.content, depth).trim(),
  caption: (node, depth) => inline(node.content, depth).trim(),
  codeBlock: (node) => fenced((node.content ?? []).map(({ text }) => text ?? '').join(''), node),
  blockquote: (node, depth) => quoted(blocks(node.content, depth)),
  panel: (node, depth) => quoted(blocks(node.content, depth)),
  expand: (node, depth) => joined([textOf(node, 'title'), blocks(node.content, depth)]),
  nestedExpand: (node, depth) => joined([textOf(node, 'title'), blocks(node.content, depth)]),
  rule: () => '---',
  table,
  mediaGroup: (node, depth) => inline(node.content, depth).trim(),
  media,
  blockCard: (node) => card(node),
  embedCard: (node) => card(node),
  extension: (node) => textOf(node, 'text'),
};

const inlineWriters: Readonly<Record<string, Write>> = {
  text: (node) => marked(node),
  hardBreak: () => '\n',
  mention: (node) => textOf(node, 'text'),
  emoji: (node) => textOf(node, 'text') || textOf(node, 'shortName'),
  inlineCard: (node) => card(node),
  status: (node) => textOf(node, 'text'),
  date: (node) => dateOf(node),
  media: (node) => `${media(node)} `,
  mediaInline: media,
  placeholder: () => '',
  inlineExtension: (node) => textOf(node, 'text'),
};

/**
 * Block nodes with blank lines between them. Of an unknown node, such as a layout or a macro with a body, the
 * content is read.
 */
function blocks(nodes: readonly AdfNode[] | undefined, depth: number): string {
  if (depth > depthMax) return '';
  return joined((nodes ?? []).map((node) => block(node, depth + 1)));
}

function block(node: AdfNode, depth: number): string {
  const write = writerOf(blockWriters, node);
  if (write) return write(node, depth);
  if (writerOf(inlineWriters, node)) return inline([node], depth).trim();
  return blocks(node.content, depth);
}

function inline(nodes: readonly AdfNode[] | undefined, depth: number): string {
  if (depth > depthMax) return '';
  return (nodes ?? [])
    .map((node) => writerOf(inlineWriters, node)?.(node, depth + 1) ?? inline(node.content, depth + 1))
    .join('');
}

function writerOf(writers: Readonly<Record<string, Write>>, { type }: AdfNode): Write | undefined {
  return type !== undefined && Object.hasOwn(writers, type) ? writers[type] : undefined;
}

function marked({ text = '', marks = [] }: AdfNode): string {
  const isCode = marks.some(({ type }) => type === 'code');
  const isStruck = marks.some(({ type }) => type === 'strike');
  const href = marks.find(({ type }) => type === 'link')?.attrs?.['href'];
  const words = isCode && !text.includes('`') ? `\`${text}\`` : text;
  return linkedText(isStruck ? `~~${words}~~` : words, typeof href === 'string' ? href : undefined);
}

function heading(level: number, text: string): string {
  return text === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${text}`;
}

/** A list. In a task list, a nested list is a sibling of the items, not a child of one. */
function list(
  { content = [] }: AdfNode,
  mark: (index: number, item: AdfNode) => string,
  depth: number,
): string {
  const isNested = ({ type }: AdfNode) => type === 'taskList' || type === 'decisionList';
  let count = 0;
  const lines = content.map((item) => {
    if (isNested(item)) return indented(block(item, depth + 1), '  ');
    const before = mark(count++, item);
    const text = isItem(item) ? block(item, depth + 1) : blocks([item], depth);
    return text === ''
      ? ''
      : `${before}${indented(text, ' '.repeat(before.startsWith('-') ? 2 : before.length)).trimStart()}`;
  });
  return lines.filter((line) => line !== '').join('\n');
}

function isItem({ type }: AdfNode): boolean {
  return type === 'listItem' || type === 'taskItem' || type === 'decisionItem' || type === 'blockTaskItem';
}

function taskBox(item: AdfNode): string {
  return textOf(item, 'state') === 'DONE' ? '[x] ' : '[ ] ';
}

function table({ content = [] }: AdfNode, depth: number): string {
  const rows = content.map((row) => (row.content ?? []).flatMap((cell) => cells(cell, depth)));
  const columns = Math.min(Math.max(0, ...rows.map((row) => row.length)), columnsMax);
  if (columns === 0) return '';
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => row[index] ?? '').join(' | ')} |`;
  const hasHeader = (content[0]?.content ?? []).every(({ type }) => type === 'tableHeader');
  const [header = [], ...body] = hasHeader ? rows : [[], ...rows];
  const rule = `|${' --- |'.repeat(columns)}`;
  return [line(header), rule, ...body.map(line)].join('\n');
}

/**
 * The cells of a row for one node. A cell over several columns leaves the others blank, so that the next
 * cells stay under their headers.
 */
function cells(cell: AdfNode, depth: number): string[] {
  const text = inOneLine(blocks(cell.content, depth + 1)).replaceAll('|', '\\|');
  const columns = Math.min(Math.max(numberOf(cell, 'colspan') ?? 1, 1), columnsMax);
  return [text, ...Array<string>(columns - 1).fill('')];
}

function fenced(code: string, node: AdfNode): string {
  if (!/\S/.test(code)) return '';
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${textOf(node, 'language')}\n${code}\n${fence}`;
}

function media(node: AdfNode): string {
  const name = textOf(node, 'alt') || textOf(node, '__fileName');
  return name === '' ? '' : `[${name}]`;
}

function card(node: AdfNode): string {
  const data = node.attrs?.['data'] as { name?: unknown; url?: unknown } | undefined;
  const url = textOf(node, 'url') || (typeof data?.url === 'string' ? data.url : '');
  return typeof data?.name === 'string' && data.name !== '' ? linkedText(data.name, url) : url;
}

/** The day of a date node, whose timestamp is milliseconds as text. */
function dateOf(node: AdfNode): string {
  const date = new Date(Number(node.attrs?.['timestamp']));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

function textOf(node: AdfNode, key: string): string {
  const value = node.attrs?.[key];
  return typeof value === 'string' ? value : '';
}

function numberOf(node: AdfNode, key: string): number | undefined {
  const value = node.attrs?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => /\S/.test(part)).join('\n\n');
}
