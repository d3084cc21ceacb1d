import { AppError } from '../errors.js';

const retryAfterSeconds = 30;
/**
 * No room, over quota, too many open files; a disk that fails; folders that are read-only, closed to this process, or gone
 * (no path comes from a caller).
 */
const diskCodes = new Set(
  'ENOSPC EDQUOT EMFILE ENFILE EIO EROFS EACCES EPERM ENOENT ENOTDIR ESTALE ENOTCONN ETIMEDOUT'.split(' '),
);

/** Files cannot be stored or read at the moment, whichever file it is. */
export class StorageFailure extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'the storage of files does not answer; try again', {
      cause,
      retryAfterSeconds,
    });
  }
}

/**
 * Turns an error of the file system for which the machine is to blame into a StorageFailure; returns others
 * unchanged.
 */
export function toDiskFailure(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && diskCodes.has(code) ? new StorageFailure(cause) : cause;
}

/** Whether files cannot be stored because there is no room for this one; smaller ones may find some. */
export function lacksRoom(error: unknown): boolean {
  const { code } = (error instanceof StorageFailure ? (error.cause ?? {}) : {}) as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}
