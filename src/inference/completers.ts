import type { Config } from '../config.js';
import type { Completer } from './completer.js';

/**
 * The configured language model, undefined when none is. It is not contacted at start-up, since it may come
 * up later.
 */
export async function createCompleter({
  languageModel,
}: Pick<Config, 'languageModel'>): Promise<Completer | undefined> {
  if (!languageModel) return undefined;
  const { createOpenAiCompleter } = await import('./completers/openai.js');
  return createOpenAiCompleter(languageModel);
}
