import { MongoJobRepository } from '@agendajs/mongo-backend';
import { reasonOf } from '../lib/reason-of.js';
import { StartupError } from '../lib/startup-error.js';
import type { JobStore } from './job-store.js';

const selectionTimeoutMs = 5_000;

/** @throws StartupError: the driver names the host, never the password. */
function notConnected(error: unknown): never {
  throw new StartupError(`cannot connect to MongoDB (MONGODB_URL): ${reasonOf(error)}`);
}

/** A store in MongoDB, which has no channel: runners ask it at intervals. `connect` throws a StartupError. */
export function openMongoStore(url: string, collection: string): JobStore {
  const repository = new MongoJobRepository({
    db: {
      address: url,
      collection,
      options: { serverSelectionTimeoutMS: selectionTimeoutMs },
    },
  });
  return {
    repository,
    channel: undefined,
    connect: () => repository.connect().catch(notConnected),
    disconnect: () => repository.disconnect(),
  };
}
