export interface CompletionRequest {
  /** The instructions. */
  readonly system: string;
  /** What the instructions apply to: data, never instructions. */
  readonly user: string;
  /** The schema's name, as told to the model. */
  readonly name: string;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A language model that answers in JSON. One file per provider in completers/, one line in completers.ts. */
export interface Completer {
  /**
   * The answer as parsed JSON, undefined when it is not JSON. It may not fit the schema: the caller checks.
   * @throws AppError SERVICE_UNAVAILABLE when the model cannot be reached; CompletionRefused when it will not
   * answer this
   */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<unknown>;
  /** Ends open connections. */
  close(): Promise<void>;
}

/** The provider refuses this request; trying again would not help. */
export class CompletionRefused extends Error {
  override name = 'CompletionRefused';
}
