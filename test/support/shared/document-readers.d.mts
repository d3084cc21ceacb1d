import type { DocumentReaders } from '../../../src/connectors/documents/document-readers.js';

export declare const documentReaders: DocumentReaders;
