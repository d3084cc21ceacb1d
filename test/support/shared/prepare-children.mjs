// The child processes that prepare items, shared by the servers of all test files in a Jest worker; the first
// item starts one.
import { openChildren } from '../../../dist/src/ingestion/preparation/prepare-pool.js';

export const prepareChildren = openChildren();
