// The child processes that prepare items, for the servers of all test files of a Jest worker: a server starts one with its first item.
import { openChildren } from '../../../dist/src/ingestion/prepare-pool.js';

export const prepareChildren = openChildren();
