import { registerEnumType } from 'type-graphql';

/** Which kind of content a request is about; `all` only where both are read. */
export enum SourceType {
  knowledge = 'knowledge',
  memory = 'memory',
  all = 'all',
}
registerEnumType(SourceType, {
  name: 'SourceType',
  description: 'knowledge: files and app content; memory: preferences, decisions, conversations; all: both.',
});

export type JsonObject = Record<string, unknown>;

/** What a memory was made of. */
export interface MemoryContent {
  readonly text: string | null;
  readonly userAssistantPairs: { readonly user: string; readonly assistant: string }[] | null;
  readonly isMarkdown: boolean;
  readonly userName: string;
  readonly observationDate: string | null;
}
