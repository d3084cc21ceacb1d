import type { Config } from '../config.js';
import type { Completer } from './completer.js';
import { createOpenAiCompleter } from './completers/openai.js';

/** The configured language model; undefined when there is none. It is not asked at the start: it may come up later. */
export function createCompleter({ languageModel }: Pick<Config, 'languageModel'>): Completer | undefined {
  return languageModel && createOpenAiCompleter(languageModel);
}
