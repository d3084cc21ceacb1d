import { AppError } from '../errors.js';

const retryAfterSeconds = 30;
/** No room, over quota, too many open files, a disk that became read-only or fails. */
const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS', 'EIO']);

/** Files cannot be stored or read at the moment, whichever they are. */
export class StorageFailure extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'the storage of files does not answer; try again', {
      cause,
      retryAfterSeconds,
    });
  }
}

/** An error of the file system as the one that is answered when the machine is at fault; any other as it is. */
export function toDiskFailure(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && diskCodes.has(code) ? new StorageFailure(cause) : cause;
}
