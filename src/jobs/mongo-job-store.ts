import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { JobStore } from './job-store.js';

const SELECTION_TIMEOUT_MILLISECONDS = 5_000;

export function openMongoStore(url: string, collection: string): JobStore {
  const repository = new MongoJobRepository({
    db: {
      address: url,
      collection,
      options: { serverSelectionTimeoutMS: SELECTION_TIMEOUT_MILLISECONDS },
    },
  });
  return {
    repository,
    channel: undefined,
    connect: () => repository.connect(),
    disconnect: () => repository.disconnect(),
  };
}
