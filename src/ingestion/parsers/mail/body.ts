import { historyLines, isForwarded } from '../../../text/mail-history.js';
import type { ParsedBlock } from '../parser.js';

/** The blocks of a mail's body, where text that repeats earlier mails is set apart and marked as `quoted`. */
export function withHistory(blocks: readonly ParsedBlock[], subject: string): ParsedBlock[] {
  const texts = blocks.map(({ text }) => text.split('\n'));
  const isHistory = historyLines(
    texts.flatMap((lines) => [...lines, '']),
    isForwarded(subject),
  );
  let start = 0;
  return blocks.flatMap((block, index) => {
    const lines = texts[index] ?? [];
    const parts = partsOf(lines, isHistory.slice(start, start + lines.length));
    start += lines.length + 1;
    return parts.map(({ text, quoted }) => ({
      ...block,
      ...asQuoted(text),
      text,
      ...(quoted && { quoted }),
    }));
  });
}

/** Quotations are cut only at line ends, so that each part still shows that it is one. */
function asQuoted(text: string): Pick<ParsedBlock, 'keepTogether'> {
  return /^>/m.test(text) && text.includes('\n') ? { keepTogether: true } : {};
}

/** Splits a block into parts that repeat earlier mails and parts that do not. */
function partsOf(
  lines: readonly string[],
  isHistory: readonly boolean[],
): { text: string; quoted: boolean }[] {
  const parts: { text: string; quoted: boolean }[] = [];
  for (let start = 0; start < lines.length;) {
    const quoted = isHistory[start] === true;
    const found = isHistory.indexOf(!quoted, start);
    const end = found < 0 ? lines.length : found;
    const text = lines.slice(start, end).join('\n');
    if (/\S/.test(text)) parts.push({ text, quoted });
    start = end;
  }
  return parts;
}
