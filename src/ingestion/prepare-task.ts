import type { FactExtraction } from '../inference/facts.js';
import type { QueuedVersion } from '../sources/indexing-queue.js';
import type { MemoryContent } from '../sources/source.types.js';
import type { LocalStorage } from '../storage/local-storage.js';
import type { MemoryText } from './memory-text.js';
import type { PrepareTask } from './prepare.js';

const userNameDefault = 'User';
/** Fields of app items that say who speaks in them. */
const speakerFields = ['author', 'from', 'reporter', 'created_by'];

/** What a worker thread needs of a version; `extraction` is what a language model found in it. */
export function toPrepareTask(
  version: QueuedVersion,
  storage: LocalStorage,
  extraction?: FactExtraction,
): PrepareTask {
  const { title, filename, contentType, storageKey, memory, app, infer } = version;
  return {
    title,
    file: storageKey
      ? { name: filename ?? '', contentType: contentType ?? undefined, path: storage.path(storageKey) }
      : undefined,
    memory: memory ? toMemoryText(memory) : undefined,
    app: app ?? undefined,
    infer: infer ? { userName: inferredUserName(version), extraction } : undefined,
  };
}

/** Who "I" is in a version. */
export function inferredUserName({ memory, app }: Pick<QueuedVersion, 'memory' | 'app'>): string {
  const speaker = speakerFields.map((field) => app?.fields[field]).find((value) => typeof value === 'string');
  return memory?.userName ?? speaker ?? userNameDefault;
}

function toMemoryText({ text, userAssistantPairs, isMarkdown, userName }: MemoryContent): MemoryText {
  return {
    ...(text === null ? {} : { text }),
    ...(userAssistantPairs === null ? {} : { userAssistantPairs }),
    isMarkdown,
    userName,
  };
}
