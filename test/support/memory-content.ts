import type { MemoryContent } from '../../src/sources/source.types.js';

/** A memory as it is stored, with what matters to a test. */
export function memoryContent(own: Partial<MemoryContent>): MemoryContent {
  return {
    text: null,
    userAssistantPairs: null,
    isMarkdown: false,
    userName: 'User',
    observationDate: null,
    customInstructions: null,
    ...own,
  };
}
