const linkedMax = 100;
const code = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`/g;
/** Mentions such as `#12` and `owner/repo#12`. */
const short = /(?<![\w/#&.-])([\w-]+\/[\w.-]+)?#(\d{1,9})\b/g;
const legacy = /\bGH-(\d{1,9})\b/g;
/** Addresses of issues and pull requests. */
const address = /\bhttps?:\/\/[^/\s]+\/([\w-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})\b/g;

/**
 * The ids of issues and pull requests that a text mentions, whether it closes them or not; mentions in code
 * do not count.
 */
export function linkedTickets(
  markdown: string,
  { key, fullName, webUrl }: { readonly key: string; readonly fullName: string; readonly webUrl: string },
): string[] {
  const text = markdown.replace(code, ' ');
  const host = webUrl.slice(0, webUrl.length - fullName.length);
  const named = [
    ...[...text.matchAll(short)].map(([, repository, number]) => ({ repository, number })),
    ...[...text.matchAll(legacy)].map(([, number]) => ({ repository: undefined, number })),
    ...[...text.matchAll(address)]
      .filter(([url]) => url.startsWith(host))
      .map(([, repository, number]) => ({ repository, number })),
  ];
  const ids = named.map(({ repository = fullName, number }) => {
    const name = repository.toLowerCase();
    return `${name === fullName.toLowerCase() ? key : name}#${Number(number)}`;
  });
  return [...new Set(ids)].slice(0, linkedMax);
}
