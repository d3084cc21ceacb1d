import { batchesOf } from '../lib/batches-of.js';
import { clip } from '../lib/characters.js';

interface FittingRequestsOptions<Result, Context> {
  /** Asks for one result per text, in the order of the texts. */
  readonly request: (texts: readonly string[], context: Context) => Promise<readonly Result[]>;
  /** Whether an error says that these texts are refused, and not that nothing is answered. */
  readonly isRefusal: (error: unknown) => boolean;
  /** How many texts a request has as long as none was refused. */
  readonly textsMax: number;
  /** How many requests are under way at once. */
  readonly requestsMax: number;
}

interface Answered<Result> {
  readonly results: readonly Result[];
  /** False when the texts were asked for in parts, or one was cut. */
  readonly atOnce: boolean;
}

/** Statuses with which a provider refuses texts; any other is a failure of the provider's own, unless it says so. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);
/** How a provider refuses texts with a status of 500: llama.cpp and Ollama do. */
const tooMuch = /\btoo (?:large|long)\b|\bexceeds\b/i;

/** Below this a text is not refused for its length. */
const cutCharactersMin = 250;
/** Above this a text is halved: it is a query, or no model's length is near. */
const halvedFrom = 4_000;

/** Whether an answer refuses what it was sent: the number of texts, their length or the form of the request. */
export function isRefusedBy(status: number, words: () => string): boolean {
  return refusals.has(status) || (status === 500 && tooMuch.test(words()));
}

/**
 * Asks a model about texts, each by itself, by requests that its provider takes. Providers differ in how many texts a
 * request may have (10 to thousands), how long these may be (from 512 tokens), and what they answer to more: what is
 * refused is asked for in halves, and of a text that is refused alone the beginning counts.
 */
export class FittingRequests<Result, Context> {
  private textsMax: number;

  constructor(private readonly options: FittingRequestsOptions<Result, Context>) {
    this.textsMax = options.textsMax;
  }

  /** One result per text, in their order. @throws the refusal of a text that is refused however short it is cut */
  async resultsOf(texts: readonly string[], context: Context): Promise<Result[]> {
    const results: (readonly Result[])[] = [];
    const batches = [...batchesOf(texts, this.textsMax)];
    for (const some of batchesOf(batches, this.options.requestsMax)) {
      const answers = await Promise.all(some.map((batch) => this.ask(batch, context)));
      results.push(...answers.map((answer) => answer.results));
    }
    return results.flat();
  }

  private async ask(texts: readonly string[], context: Context): Promise<Answered<Result>> {
    const { request, isRefusal } = this.options;
    try {
      return { results: await request(texts, context), atOnce: true };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const results =
        texts.length > 1 ? this.askInHalves(texts, context) : this.askForBeginning(texts, context, error);
      return { results: await results, atOnce: false };
    }
  }

  private async askInHalves(texts: readonly string[], context: Context): Promise<readonly Result[]> {
    const half = Math.ceil(texts.length / 2);
    const first = await this.ask(texts.slice(0, half), context);
    const second = await this.ask(texts.slice(half), context);
    // Else it was not their number.
    if (first.atOnce && second.atOnce) this.textsMax = Math.min(this.textsMax, half);
    return [...first.results, ...second.results];
  }

  private async askForBeginning(
    [text = '']: readonly string[],
    context: Context,
    refusal: unknown,
  ): Promise<readonly Result[]> {
    const { request, isRefusal } = this.options;
    let { length } = text;
    for (;;) {
      length = Math.floor(length * (length > halvedFrom ? 0.5 : 0.75));
      if (length < cutCharactersMin) throw refusal;
      try {
        return await request([clip(text, length)], context);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
  }
}
