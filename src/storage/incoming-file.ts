import { invalidInput } from '../errors.js';
import type { ReceivedFile } from './upload-spool.js';

/** A file of a request, on its way to disk: what the Upload scalar of both APIs carries. */
export class IncomingFile {
  /** What `received` resolved to, once it has. */
  settled: ReceivedFile | undefined;
  private taken = false;

  constructor(
    readonly filename: string,
    readonly contentType: string | undefined,
    /** Rejects when the client goes away. */
    readonly received: Promise<ReceivedFile>,
  ) {
    // Whoever awaits it later gets the error; without a handler here an early failure would end the process.
    received.then(
      (file) => (this.settled = file),
      () => undefined,
    );
  }

  /** What was received, for who stores it. @throws AppError INVALID_INPUT when it was taken before: it moves to where it is stored. */
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
