import { withoutEvidence } from '../../inference/facts.js';
import type { Fact } from '../../inference/facts.js';
import type { Chunk } from '../chunking/chunker.js';
import type { ParsedBlock, ParsedDocument } from '../parsers/parser.js';
import { memoryDocument } from './memory-text.js';
import type { MemoryText } from './memory-text.js';

/**
 * Whether facts are looked for in a block of a file or app item: comments, and what a mail quotes, are what
 * others say.
 */
export function isSpeech({ layout, quoted }: Pick<ParsedBlock, 'layout' | 'quoted'>): boolean {
  return layout?.['comment'] === undefined && quoted !== true;
}

/** The texts of a memory in which facts are looked for: its own, and what the user said. */
export function memoryTexts({ text, userAssistantPairs }: MemoryText): string[] {
  return [text ?? '', ...(userAssistantPairs ?? []).map((pair) => pair.user)].filter(
    (part) => part.trim() !== '',
  );
}

/**
 * A memory without what its facts say, so that nothing is lost and nothing found twice; undefined when
 * nothing is left.
 */
export function restOf(memory: MemoryText, facts: readonly Fact[]): ParsedDocument | undefined {
  const text = withoutEvidence(memory.text ?? '', facts);
  const pairs = (memory.userAssistantPairs ?? []).map(({ user, assistant }) => ({
    user: withoutEvidence(user, facts),
    assistant,
  }));
  const isBlank = [text, ...pairs.flatMap(({ user, assistant }) => [user, assistant])].join('').trim() === '';
  return isBlank ? undefined : memoryDocument({ ...memory, text, userAssistantPairs: pairs });
}

/** One chunk per fact, at the fact's position, followed by the chunks of the rest. */
export function inferredChunks(facts: readonly Fact[], rest: readonly Chunk[]): Chunk[] {
  const chunks = facts.map((fact, position): Chunk => ({
    position,
    text: isVerbatim(fact) ? fact.statement : `${fact.statement} ("${fact.evidence}")`,
    headings: [],
    layout: { inferred: true, kind: fact.kind },
  }));
  return [...chunks, ...rest.map((chunk) => ({ ...chunk, position: chunk.position + facts.length }))];
}

function isVerbatim({ statement, evidence }: Fact): boolean {
  const bare = (text: string) => text.replace(/\s+/g, ' ').replace(/[\s.!]+$/, '');
  return bare(statement) === bare(evidence);
}
