// The child processes that read feeds, sitemaps and pages in tests of providers, shared by all test files in a Jest worker.
import { DocumentReaders } from '../../../dist/src/connectors/documents/document-readers.js';

export const documentReaders = new DocumentReaders();
