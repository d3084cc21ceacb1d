// Instead of prepare-child.js: the rules of the graph fail on sentences that speak of a "stumbling block".
import { Coreference } from '../../dist/src/graph/extraction/coreference.js';
import '../../dist/src/ingestion/preparation/prepare-child.js';

const { read } = Coreference.prototype;
Coreference.prototype.read = function (sentence) {
  if (sentence.text.includes('stumbling block')) throw new Error('stumbled');
  return read.call(this, sentence);
};
