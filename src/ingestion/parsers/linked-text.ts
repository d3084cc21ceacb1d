const outward = /^(?:https?:|mailto:|ftp:)/i;

/**
 * The text of a link, and where it leads behind it, so that a sentence with a link in it can be found as it is read. The text
 * alone when it is the address itself or leads nowhere outside.
 */
export function linkedText(text: string, url: string | undefined): string {
  if (url === undefined || !outward.test(url) || !/\S/.test(text) || bare(text) === bare(url)) return text;
  return `${text} (${url.replace(/^mailto:/i, '')})`;
}

/** The address of a field of Word (`HYPERLINK "…"`), of RTF too. */
export function fieldAddress(code: string): string | undefined {
  const url = /^\s*HYPERLINK\s+"?([^"\s]+)/i.exec(code)?.[1];
  return url !== undefined && outward.test(url) ? url : undefined;
}

function bare(url: string): string {
  return url.trim().replace(/^(?:mailto:|https?:\/\/)|\/$/gi, '');
}
