import { decodeText } from './charset.js';
import { jsonStream } from './json.js';
import { streamSafely } from './parser.js';
import type { BlockStream, Parser } from './parser.js';
import { plainTextDocument } from './plain-text.js';

const sampleCharacters = 1024 * 1024;
/**
 * What a line of JSON looks like, whether its value has one line or several (lineOfJson), and how it begins.
 */
const lineOfJson = /^(?:[[\]{}"].*[[\]{}",:]|.*\b(?:\d[\d.eE+-]*|true|false|null),?|\/\/.*)$/;
const beginsAsJson = /^(?:[[\]{}"/]|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$)/;

/** Whether fewer than half of the first lines look like JSON. */
function isMostlyText(text: string): boolean {
  const lines = text
    .slice(0, sampleCharacters)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const ofJson = lines.filter((line) => beginsAsJson.test(line) && lineOfJson.test(line));
  return ofJson.length * 2 < lines.length;
}

function linesStream(text: string): BlockStream {
  return isMostlyText(text) ? { blocks: plainTextDocument(text).blocks } : jsonStream(text);
}

export const jsonLines: Parser<BlockStream> = {
  name: 'json-lines',
  extensions: ['jsonl'],
  contentTypes: ['application/x-ndjson', 'application/jsonl'],
  parse: (bytes, { charset }) => streamSafely(() => linesStream(decodeText(bytes, charset))),
};
