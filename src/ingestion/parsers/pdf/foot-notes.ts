import type { Line } from './segments.js';

/** A share of the size of the text: notes are smaller. */
const noteSizeMax = 0.93;
const noteStart = /^(\d{1,3})\s?(?=[\p{L}"“„«(])/u;
/** A number right behind a word, or behind what ends a sentence. */
const reference = /(\p{L}{3}[.,;:!?)"”’»]{0,2})(\d{1,3})(?![\p{L}\p{N}%]|[.,:]\d)/gu;

/**
 * The lines of a page with the numbers of its notes in brackets, where a note begins and behind the word that
 * refers to it. Raised numbers are not told from others: `harbour1` would not be found.
 */
export function withNoteMarks(flows: readonly Line[][], bodySize: number): Line[][] {
  const isSmall = ({ size }: Line) => size < bodySize * noteSizeMax;
  const numberOf = (line: Line) => (isSmall(line) ? noteStart.exec(line.text)?.[1] : undefined);
  const waiting = new Set(flows.flat().flatMap((line) => numberOf(line) ?? []));
  const referring = (line: Line): Line => {
    if (isSmall(line) || waiting.size === 0) return line;
    const text = line.text.replace(reference, (all, before: string, number: string) =>
      waiting.delete(number) ? `${before}[${number}]` : all,
    );
    return { ...line, text };
  };
  const marked = flows.map((flow) => flow.map(referring));
  return marked.map((flow) =>
    flow.map((line) => {
      const number = numberOf(line);
      if (number === undefined || waiting.has(number)) return line;
      return { ...line, text: line.text.replace(noteStart, `[${number}] `), isNote: true };
    }),
  );
}
