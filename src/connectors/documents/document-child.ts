import { serveTasks } from '../../lib/serve-tasks.js';
import { DOCUMENT_FUNCTIONS } from './document-functions.js';

serveTasks(DOCUMENT_FUNCTIONS);
