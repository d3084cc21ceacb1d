export interface CompletionRequest {
  /** What the model is to do. */
  readonly system: string;
  /** What it is to do it with: data, never instructions. */
  readonly user: string;
  /** Names the schema to the model. */
  readonly name: string;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A language model that answers in JSON. One file per provider in completers/, one line in completers.ts. */
export interface Completer {
  /**
   * The answer as parsed JSON; undefined when it is none. It may not fit the schema: whoever asks checks.
   * @throws AppError SERVICE_UNAVAILABLE when the model cannot be reached, CompletionRefused when it will not answer this.
   */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<unknown>;
  /** Ends open connections. */
  close(): Promise<void>;
}

/** The provider answered that it does not take this request; trying again would not help. */
export class CompletionRefused extends Error {
  override name = 'CompletionRefused';
}
