import type { ReceivedFile } from './local-storage.js';

/** A file of a request, on its way to disk: what the Upload scalar of both APIs carries. */
export class IncomingFile {
  constructor(
    readonly filename: string,
    readonly contentType: string | undefined,
    /** Rejects when the client goes away. */
    readonly received: Promise<ReceivedFile>,
  ) {
    // Whoever awaits it later gets the error; without this an early failure would end the process.
    received.catch(() => undefined);
  }
}
