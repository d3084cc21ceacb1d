import { AppError } from '../errors.js';

const retryAfterSeconds = 30;
/** No room, over quota, too many open files, a disk that became read-only or fails. */
const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EROFS', 'EIO']);

/** An error of the file system as the one that is answered when the machine is at fault; any other as it is. */
export function toDiskFailure(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { code?: unknown };
  if (typeof code !== 'string' || !diskCodes.has(code)) return cause;
  return new AppError('SERVICE_UNAVAILABLE', 'the server cannot store files at the moment; try again', {
    cause,
    retryAfterSeconds,
  });
}
