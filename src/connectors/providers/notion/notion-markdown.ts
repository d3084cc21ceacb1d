import type { BlockObjectResponse, RichTextItemResponse } from '@notionhq/client';

/** A block with the blocks inside it. */
export interface BlockNode {
  readonly block: BlockObjectResponse;
  readonly children: readonly BlockNode[];
  /** Whether it has others in it that were not read. */
  readonly isCut?: boolean;
}

type Blocks = {
  readonly [Type in BlockObjectResponse['type']]: Extract<BlockObjectResponse, { type: Type }>;
};
type Render = {
  readonly [Type in keyof Blocks]?: (block: Blocks[Type], children: readonly BlockNode[]) => string;
};

const listTypes = ['bulleted_list_item', 'numbered_list_item', 'to_do'];
const urlOfId = (id: string) => `https://www.notion.so/${id.replaceAll('-', '')}`;

/** Blocks as Markdown, without blocks that have no text. */
export function markdownOf(nodes: readonly BlockNode[]): string {
  let markdown = '';
  let before = '';
  let number = 0;
  for (const { block, children } of nodes) {
    number = block.type === 'numbered_list_item' ? number + 1 : 0;
    const text = blockText(block, children, number).trimEnd();
    if (text === '') continue;
    const together = block.type === before && listTypes.includes(before);
    markdown += markdown === '' ? text : `${together ? '\n' : '\n\n'}${text}`;
    before = block.type;
  }
  return markdown;
}

/** The text as it is read, without formatting. */
export function plainTextOf(text: readonly RichTextItemResponse[] = []): string {
  return text.map(({ plain_text }) => plain_text).join('');
}

function blockText(block: BlockObjectResponse, children: readonly BlockNode[], number: number): string {
  if (block.type === 'numbered_list_item' && block.type in block)
    return listItem(`${number}. `, inline(block.numbered_list_item.rich_text), children);
  const render = renderers[block.type] as
    ((each: BlockObjectResponse, inside: readonly BlockNode[]) => string) | undefined;
  // Of a block that is unknown, empty or only a frame (columns, tabs, copies of blocks), the content is shown.
  return render && block.type in block ? render(block, children) : markdownOf(children);
}

const renderers: Render = {
  paragraph: ({ paragraph }, children) => withChildren(lineStart(inline(paragraph.rich_text)), children),
  heading_1: (block, children) => heading(1, block.heading_1.rich_text, children),
  heading_2: (block, children) => heading(2, block.heading_2.rich_text, children),
  heading_3: (block, children) => heading(3, block.heading_3.rich_text, children),
  heading_4: (block, children) => heading(4, block.heading_4.rich_text, children),
  bulleted_list_item: (block, children) =>
    listItem('- ', inline(block.bulleted_list_item.rich_text), children),
  to_do: ({ to_do }, children) =>
    listItem(to_do.checked ? '- [x] ' : '- [ ] ', inline(to_do.rich_text), children),
  toggle: ({ toggle }, children) => withChildren(lineStart(inline(toggle.rich_text)), children),
  template: ({ template }, children) => withChildren(lineStart(inline(template.rich_text)), children),
  quote: ({ quote }, children) => quoted(withChildren(inline(quote.rich_text), children)),
  callout: ({ callout }, children) => {
    const emoji = callout.icon?.type === 'emoji' ? `${callout.icon.emoji} ` : '';
    return quoted(withChildren(`${emoji}${inline(callout.rich_text)}`, children));
  },
  code: ({ code }) => {
    const source = plainTextOf(code.rich_text);
    const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    const language = code.language === 'plain text' ? '' : code.language;
    const caption = inline(code.caption);
    return `${fence}${language}\n${source}\n${fence}${caption ? `\n\n${caption}` : ''}`;
  },
  equation: ({ equation }) => `$$\n${equation.expression}\n$$`,
  divider: () => '---',
  breadcrumb: () => '',
  table_of_contents: () => '',
  unsupported: () => '',
  table: ({ table }, rows) => tableText(rows, table.has_column_header),
  child_page: ({ id, child_page }) => link(child_page.title, urlOfId(id)),
  child_database: ({ id, child_database }) => link(child_database.title, urlOfId(id)),
  link_to_page: ({ link_to_page: to }) =>
    to.type === 'page_id'
      ? link('Page', urlOfId(to.page_id))
      : to.type === 'database_id'
        ? link('Database', urlOfId(to.database_id))
        : '',
  bookmark: ({ bookmark }) => link(plainTextOf(bookmark.caption) || bookmark.url, bookmark.url),
  embed: ({ embed }) => link(plainTextOf(embed.caption) || embed.url, embed.url),
  link_preview: ({ link_preview }) => link(link_preview.url, link_preview.url),
  image: ({ id, image }) => file(id, image, 'Image'),
  video: ({ id, video }) => file(id, video, 'Video'),
  audio: ({ id, audio }) => file(id, audio, 'Audio'),
  pdf: ({ id, pdf }) => file(id, pdf, 'PDF'),
  file: ({ id, file: given }) => file(id, given, given.name || 'File'),
};

interface GivenFile {
  readonly type: string;
  readonly caption: readonly RichTextItemResponse[];
  readonly external?: { readonly url: string };
}

/**
 * A link to a file. Files that Notion stores have secret addresses that last an hour, so their block is
 * linked instead.
 */
function file(id: string, given: GivenFile, name: string): string {
  return link(plainTextOf(given.caption) || name, given.external?.url ?? urlOfId(id));
}

function heading(
  level: number,
  text: readonly RichTextItemResponse[],
  children: readonly BlockNode[],
): string {
  const title = inline(text).replaceAll('\n', ' ').trim();
  return withChildren(title === '' ? '' : `${'#'.repeat(level)} ${title}`, children);
}

function withChildren(text: string, children: readonly BlockNode[]): string {
  return [text, markdownOf(children)].filter((part) => part !== '').join('\n\n');
}

function listItem(mark: string, text: string, children: readonly BlockNode[]): string {
  const indent = ' '.repeat(mark.startsWith('-') ? 2 : mark.length);
  const inside = markdownOf(children);
  const lines = `${text}${inside ? `\n${inside}` : ''}`.split('\n');
  return mark + lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n');
}

function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** A table; its children are rows. A Markdown table needs a header, even an empty one. */
function tableText(rows: readonly BlockNode[], hasHead: boolean): string {
  const lines = rows.flatMap(({ block }) =>
    block.type === 'table_row'
      ? [block.table_row.cells.map((cell) => inline(cell).replaceAll('|', '\\|').replaceAll('\n', ' '))]
      : [],
  );
  const columns = Math.max(0, ...lines.map((cells) => cells.length));
  if (columns === 0) return '';
  const head = hasHead ? [] : [Array<string>(columns).fill('')];
  const [first = [], ...rest] = [...head, ...lines];
  const rule = Array<string>(columns).fill('---');
  return [first, rule, ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function link(text: string, url: string): string {
  return `[${escaped(text.replaceAll('\n', ' ')) || url}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`;
}

function inline(text: readonly RichTextItemResponse[] = []): string {
  return text.map(span).join('');
}

const plainly: Partial<RichTextItemResponse['annotations']> = {};

function span(item: RichTextItemResponse): string {
  if (item.type === 'equation') return `$${item.equation.expression}$`;
  const { plain_text: plain, href } = item;
  const { annotations = plainly } = item as Partial<RichTextItemResponse>;
  // Marks stand next to the text, not around the white space.
  const [, before = '', text = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(plain) ?? [];
  if (text === '') return plain;
  let marked = annotations.code ? codeSpan(text) : escaped(text);
  if (annotations.bold) marked = `**${marked}**`;
  if (annotations.italic) marked = `*${marked}*`;
  if (annotations.strikethrough) marked = `~~${marked}~~`;
  if (href) marked = `[${marked}](<${absolute(href).replace(/[<>\s]/g, encodeURIComponent)}>)`;
  return `${before}${marked}${after}`;
}

/** Links to pages of the same workspace come without a host. */
function absolute(href: string): string {
  return href.startsWith('/') ? `https://www.notion.so${href}` : href;
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`;
}

/** Escapes signs that Markdown would take for marks. An underscore within a word is none. */
function escaped(text: string): string {
  return text.replace(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

/** Escapes signs at the beginning of a paragraph that would make it a heading, a list or a quotation. */
function lineStart(text: string): string {
  return text.replace(
    /^(\s*)(#{1,6}(?=\s)|[-+](?=\s)|>|\d+(?=[.)]\s))/gm,
    (_, space: string, sign: string) => (/\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`),
  );
}
