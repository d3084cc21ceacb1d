import { decodeText } from './charset.js';

/** What moves the cursor and colours text, what names the window, and the short ones (ECMA-48). */
const escapeSequence =
  // eslint-disable-next-line no-control-regex -- they begin with a control character
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
/** A character over another, as manual pages write bold ones: `N\bN`. */
const overstruck = /[^\n\b][\b](?=[^\n\b])/gu;

/** The text of a file that may have been written for a terminal, without what that does not show: `[31mFATAL` is found as `FATAL`. */
export function terminalText(bytes: Uint8Array, charset: string | undefined): string {
  let text = decodeText(bytes, charset);
  // Few files have any, and each is a search of all of it.
  if (text.includes('\u001b')) text = text.replace(escapeSequence, '');
  text = text.replaceAll('\u0007', '');
  // A line under a character stands before it or behind it.
  if (text.includes('\b')) text = text.replaceAll('\b_', '').replace(overstruck, '');
  return text;
}
