// Slack's mark-up (mrkdwn) escapes &, < and > in text that people write, so anything in angle brackets is a
// reference.

const reference = /<([^<>\n]+)>/g;
const code = /(```[\s\S]*?```|`[^`\n]+`)/;
const bold = /(?<![\w*])\*(?=\S)([^*\n]*\S)\*(?![\w*])/g;
const struck = /(?<![\w~])~(?=\S)([^~\n]*\S)~(?![\w~])/g;
/**
 * Characters around placeholders, which stand for references while emphasis is converted: signs in addresses
 * are no emphasis.
 */
const placeholders = /[\uE000\uE001]/g;
const placeholder = /\uE000(\d+)\uE001/g;

/** Ids of the people whom a text mentions, each once. */
export function mentionedUsers(source: string): string[] {
  const ids = [...source.matchAll(reference)].flatMap(([, inner = '']) => userOf(inner) ?? []);
  return [...new Set(ids)];
}

/** Converts mrkdwn to Markdown, with people by name. */
export function toMarkdown(source: string, nameOf: (userId: string) => string): string {
  const parts = source.replace(placeholders, '').split(code);
  return parts
    .map((part, index) => (index % 2 === 1 ? codeMarkdown(part, nameOf) : textMarkdown(part, nameOf)))
    .join('')
    .trim();
}

function textMarkdown(source: string, nameOf: (userId: string) => string): string {
  const references: string[] = [];
  const marked = source.replace(reference, (_all, inner: string) => {
    references.push(referenceText(inner, nameOf, markdownLink));
    return `\uE000${references.length - 1}\uE001`;
  });
  const emphasised = decoded(marked.replace(bold, '**$1**').replace(struck, '~~$1~~'));
  return emphasised.replace(placeholder, (_all, index: string) => references[Number(index)] ?? '');
}

/** Code as Markdown. Slack also turns addresses in code into links, which Markdown does not have there. */
function codeMarkdown(source: string, nameOf: (userId: string) => string): string {
  const text = decoded(
    source.replace(reference, (_all, inner: string) =>
      // The result is decoded once more, with all the rest.
      referenceText(inner, nameOf, (url, label) => label || url).replaceAll('&', '&amp;'),
    ),
  );
  const fenced = /^```\n?([\s\S]*?)\n?```$/.exec(text);
  return fenced ? `\n\`\`\`\n${fenced[1]}\n\`\`\`\n` : text;
}

function referenceText(
  inner: string,
  nameOf: (userId: string) => string,
  link: (url: string, label: string) => string,
): string {
  const user = userOf(inner);
  if (user) return `@${nameOf(user)}`;
  const bar = inner.indexOf('|');
  const target = decoded(bar < 0 ? inner : inner.slice(0, bar));
  const label = bar < 0 ? '' : decoded(inner.slice(bar + 1)).trim();
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!')) return specialText(target.slice(1), label);
  if (/^(mailto|tel):/.test(target)) return label || target.replace(/^\w+:/, '');
  return link(target, label);
}

/** The text of a special mention: `here`, `channel`, `everyone`, a group of users, a date. */
function specialText(name: string, label: string): string {
  if (name.startsWith('date^')) return label;
  if (name.startsWith('subteam^')) return label ? `@${label.replace(/^@/, '')}` : '@group';
  return `@${name}`;
}

function markdownLink(url: string, label: string): string {
  if (label === '' || label === url) return url;
  return `[${label.replace(/[[\]]/g, '\\$&')}](${url.replaceAll(' ', '%20').replaceAll(')', '%29')})`;
}

function userOf(inner: string): string | undefined {
  return /^@([UW][A-Z0-9]+)(?:\||$)/.exec(inner)?.[1];
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
