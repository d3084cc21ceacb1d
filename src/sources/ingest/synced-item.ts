import type { IncomingFile } from '../../storage/incoming-file.js';
import type { ReceivedFile } from '../../storage/upload-spool.js';
import type { Acl } from '../acl.js';
import type { AppKnowledgeInput } from '../app-items/app-item.types.js';
import { readAppItem } from '../app-items/new-app-item.js';
import type { Candidate } from './ingest-request.js';
import type { ItemContext } from './new-source.js';

/** An item that a connector brings, with everything that is to hold for it from now on. */
export interface SyncedItem {
  /** With provider and externalId, of which its id is made. */
  readonly input: AppKnowledgeInput;
  /** Null: everyone. Undefined: as it was, at first everyone. */
  readonly acl: Acl | undefined;
  /** If given, facts are extracted too. */
  readonly customInstructions?: string | undefined;
  /** A file whose text takes the place of the input's. */
  readonly file?:
    { readonly file: IncomingFile; readonly received: ReceivedFile; readonly supported: boolean } | undefined;
}

/** Checks a synced item. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readSyncedItem(
  { input, acl, customInstructions, file: given }: SyncedItem,
  context: ItemContext,
): Candidate {
  const infer = customInstructions !== undefined;
  const source = readAppItem({ ...input, infer }, 'item', context);
  const item = {
    ...source,
    acl,
    app: source.app && infer ? { ...source.app, customInstructions } : source.app,
  };
  if (!given) return { source: item, refused: undefined, file: undefined };
  const { file, received, supported } = given;
  return {
    refused: supported ? undefined : 'E1002',
    file: received,
    source: {
      ...item,
      title: source.app?.title ?? file.filename,
      filename: file.filename,
      contentType: file.contentType ?? null,
      contentBytes: received.bytes,
    },
  };
}
