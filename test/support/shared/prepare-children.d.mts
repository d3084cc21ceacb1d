import type { ChildPool } from '../../../src/lib/child-pool.js';

export declare const prepareChildren: ChildPool;
