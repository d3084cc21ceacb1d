import { extractGraph } from '../../graph/extraction/extract-graph.js';
import { serveTasks } from '../../lib/serve-tasks.js';
import { prepare, readInferredTexts } from './prepare.js';

serveTasks({ prepare, readInferredTexts, extractGraph });
