import { invalidInput } from '../errors.js';
import type { ReceivedFile } from './upload-spool.js';

/** An uploaded file on its way to disk; both APIs carry it as the value of the scalar Upload. */
export class IncomingFile {
  /** What `received` resolved to, once it has. */
  settled: ReceivedFile | undefined;
  private taken = false;

  constructor(
    readonly filename: string,
    readonly contentType: string | undefined,
    /** Rejects when the client disconnects. */
    readonly received: Promise<ReceivedFile>,
  ) {
    // Whoever awaits it later gets the error; without a handler here an early failure would end the process.
    received.then(
      (file) => (this.settled = file),
      () => undefined,
    );
  }

  /**
   * The received file, for whoever stores it, which moves it. @throws AppError INVALID_INPUT when it was
   * taken before
   */
  async take(): Promise<ReceivedFile> {
    if (this.taken)
      throw invalidInput(
        'documents',
        `must hold a file of their own: send "${this.filename}" once for each place that it goes to`,
      );
    this.taken = true;
    return this.received;
  }
}
