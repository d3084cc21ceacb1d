import { decodeText } from './charset.js';

/** Sequences that move the cursor, colour text or name the window, and short ones (ECMA-48). */
const escapeSequence =
  // eslint-disable-next-line no-control-regex -- they begin with a control character
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
/** A character written over another, as manual pages do for bold ones: `N\bN`. */
const overstruck = /[^\n\b][\b](?=[^\n\b])/gu;

/**
 * The text of a file that may have been written for a terminal, without what that would not show: `[31mFATAL`
 * becomes `FATAL`.
 */
export function terminalText(bytes: Uint8Array, charset: string | undefined): string {
  let text = decodeText(bytes, charset);
  // Checked first, because few files have any, and replacing goes through the whole text.
  if (text.includes('\u001b')) text = text.replace(escapeSequence, '');
  text = text.replaceAll('\u0007', '');
  // An underline may come before or after its character.
  if (text.includes('\b')) text = text.replaceAll('\b_', '').replace(overstruck, '');
  return text;
}
