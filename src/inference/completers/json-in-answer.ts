import { cleanJson } from '../../lib/clean-text.js';

/**
 * The JSON in what a model answered: all of it, or what stands behind its thoughts, in a code fence, or between other
 * words. The content is text, or a list of parts of which some are text. Undefined when there is none. Models write escapes of
 * which no text can be made (`\u0000e9`), and which cannot be stored: they are left out.
 */
export function jsonInAnswer(content: unknown): unknown {
  const text = textOf(content).trim();
  const said = text.split('</think>').at(-1) ?? '';
  const fenced = /```(?:json)?\s([\s\S]*?)```/.exec(said)?.[1];
  const embraced = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  for (const json of [text, said, fenced, embraced]) {
    try {
      return cleanJson(JSON.parse(json ?? '') as unknown);
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: unknown; text?: unknown } | null) =>
      part?.type === 'text' ? String(part.text) : '',
    )
    .join('');
}
