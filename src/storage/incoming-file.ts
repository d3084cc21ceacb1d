import type { ReceivedFile } from './upload-spool.js';

/** A file of a request, on its way to disk: what the Upload scalar of both APIs carries. */
export class IncomingFile {
  /** What `received` resolved to, once it has. */
  settled: ReceivedFile | undefined;

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
}
