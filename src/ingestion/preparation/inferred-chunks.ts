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

/** "Got it, I'll remember that." */
const acknowledgement =
  /^(?:(?:got it|noted|duly noted|okay|ok|sure(?: thing)?|alright|all right|understood|great|perfect|will do|done|of course|absolutely|no problem|good to know|(?:thanks|thank you)(?: (?:so much|for (?:letting me know|telling me|sharing(?: (?:that|this))?|the (?:update|info|information|correction))))?|I(?:['’]ll| will|['’]ve| have)? (?:now )?(?:remember(?:ed)?|keep|note|noted|save|saved|update|updated|make a note of|made a note of) (?:that|this|it|your (?:preferences?|profile))(?: (?:in mind|down|for (?:next time|later|the future|you)|from now on|going forward|accordingly))?)\b[\s,.;!…–—-]*)+$/i;
const acknowledgementCharactersMax = 200;

function isAcknowledgement(text: string): boolean {
  return text.length <= acknowledgementCharactersMax && acknowledgement.test(text.trim());
}

/**
 * A memory without what its facts say, so that nothing is lost and nothing found twice, nor an assistant's "Got it" to
 * what is not there; undefined when nothing is left.
 */
export function restOf(memory: MemoryText, facts: readonly Fact[]): ParsedDocument | undefined {
  const text = withoutEvidence(memory.text ?? '', facts);
  const pairs = (memory.userAssistantPairs ?? []).map((pair) => {
    const user = withoutEvidence(pair.user, facts);
    return { user, assistant: user === '' && isAcknowledgement(pair.assistant) ? '' : pair.assistant };
  });
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
