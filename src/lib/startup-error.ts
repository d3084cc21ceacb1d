/** A reason why the server cannot start: printed as one line, then exit code 1. */
export class StartupError extends Error {
  override name = 'StartupError';
}
