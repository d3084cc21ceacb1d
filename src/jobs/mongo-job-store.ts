import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { JobStore } from './job-store.js';

const selectionTimeoutMs = 5_000;

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
    connect: () => repository.connect(),
    disconnect: () => repository.disconnect(),
  };
}
