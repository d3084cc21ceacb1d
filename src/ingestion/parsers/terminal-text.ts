import { decodeText } from './charset.js';

/** What moves the cursor and colours text, what names the window, and the short ones (ECMA-48). */
const escapeSequence =
  // eslint-disable-next-line no-control-regex -- they begin with a control character
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/** The text of a file that may have been written for a terminal, without what that does not show: `[31mFATAL` is found as `FATAL`. */
export function terminalText(bytes: Uint8Array, charset: string | undefined): string {
  const text = decodeText(bytes, charset);
  return text.includes('\u001b') ? text.replace(escapeSequence, '') : text;
}
