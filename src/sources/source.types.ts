import { registerEnumType } from 'type-graphql';

/** Which kind of content a request is about; `all` only where both are read. */
export enum SourceType {
  knowledge = 'knowledge',
  memory = 'memory',
  all = 'all',
}
registerEnumType(SourceType, {
  name: 'SourceType',
  description: 'Which kind of content.',
  valuesConfig: {
    knowledge: { description: 'Files and app items.' },
    memory: { description: 'Memories: preferences, decisions, conversations.' },
    all: { description: 'Both; accepted only where both are read.' },
  },
});

export type JsonObject = Record<string, unknown>;

/** What a memory was made of. */
export interface MemoryContent {
  readonly text: string | null;
  readonly userAssistantPairs: { readonly user: string; readonly assistant: string }[] | null;
  readonly isMarkdown: boolean;
  readonly userName: string;
  readonly observationDate: string | null;
  /** What a language model is told when it extracts facts. */
  readonly customInstructions: string | null;
}

/** Text that came with an item: plain or Markdown. */
export type AppText = { readonly text: string } | { readonly markdown: string };

/** The kinds of app items; each has fields of its own. */
export enum AppItemKind {
  email = 'email',
  message = 'message',
  ticket = 'ticket',
  knowledge_base = 'knowledge_base',
  comment = 'comment',
  custom = 'custom',
}
registerEnumType(AppItemKind, {
  name: 'AppKind',
  description: 'The kind of an app item, which decides what its fields mean.',
  valuesConfig: {
    email: { description: 'A mail.' },
    message: { description: 'A message of a conversation.' },
    ticket: { description: 'A ticket, issue or task.' },
    knowledge_base: { description: 'A page or article.' },
    comment: { description: 'A comment on another item.' },
    custom: { description: 'Anything else, with fields of its own choice.' },
  },
});
/** The same, as rows and code spell it. */
export type AppKind = `${AppItemKind}`;
export const appKinds: readonly AppKind[] = Object.values(AppItemKind);

export interface AppAttachment {
  readonly id: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  readonly content: AppText | null;
  readonly properties: JsonObject | null;
}

export interface AppComment {
  readonly id: string | null;
  readonly author: string | null;
  readonly body: string;
  readonly createdAt: string | null;
}

/** What an app item was made of: pre-extracted content of another application. */
export interface AppContent {
  readonly kind: AppKind;
  /** The title that was sent. */
  readonly title: string | null;
  /** Lower case, e.g. `slack`. */
  readonly provider: string | null;
  /** Its id in the other application. */
  readonly externalId: string | null;
  /** A free category for display. */
  readonly type: string | null;
  readonly description: string | null;
  readonly url: string | null;
  /** ISO-8601: when the item was made there. */
  readonly timestamp: string | null;
  /** Fields of its kind, checked, aliases resolved; other keys as they were sent. */
  readonly fields: JsonObject;
  readonly content: AppText | null;
  readonly attachments: readonly AppAttachment[];
  readonly comments: readonly AppComment[];
  /** What a language model is told when it extracts facts and relations. */
  readonly customInstructions?: string;
}
