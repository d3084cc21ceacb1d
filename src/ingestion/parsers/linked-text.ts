const outward = /^(?:https?:|mailto:|ftp:)/i;

/**
 * The text of a link, followed by its address, so that a sentence with a link can be found as it is read.
 * Only the text if it is the address itself, or the link leads nowhere outside.
 */
export function linkedText(text: string, url: string | undefined): string {
  if (url === undefined || !outward.test(url) || !/\S/.test(text) || bare(text) === bare(url)) return text;
  return `${text} (${url.replace(/^mailto:/i, '')})`;
}

/** The address in a hyperlink field of Word or RTF (`HYPERLINK "…"`). */
export function fieldAddress(code: string): string | undefined {
  const url = /^\s*HYPERLINK\s+"?([^"\s]+)/i.exec(code)?.[1];
  return url !== undefined && outward.test(url) ? url : undefined;
}

function bare(url: string): string {
  return url.trim().replace(/^(?:mailto:|https?:\/\/)|\/$/gi, '');
}
