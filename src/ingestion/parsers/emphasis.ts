/** A formula of TeX, between dollars, with a sign that no amount of money has. */
const formula = String.raw`\$\$(?:\\[\s\S]|[^$\\]){1,5000}\$\$|(?<![\p{L}\p{N}$])\$(?=[^$\n]{0,300}[\\_^])(?=[^\s$])(?:\\.|[^$\n\\\x60]){1,300}(?<=\S)\$(?![\d$])`;
/** Text within which no mark is emphasis: code, escapes, tags, addresses, and targets of links. */
const written = String.raw`(?<!\x60)(\x60+)(?!\x60)[\s\S]*?(?<!\x60)\1(?!\x60)|\\[\s\S]|<[^<>\s][^<>]{0,300}>|\]\([^()\s]{0,500}\)|https?:\/\/\S+`;
const tokens = new RegExp(`${written}|${formula}|\\*+|_+`, 'gu');
const escapes = String.raw`\x60{3}[\s\S]*?(?:\x60{3}|$)|\x60[^\x60\n]*\x60|\\([!-\/:-@\[-\x60\{-~])`;
const escapesOnly = new RegExp(escapes, 'g');
const escapesOutsideFormulas = new RegExp(`${formula}|${escapes}`, 'gu');
/** In paths (`src/**\/*.ts`) and lists of file names, stars are no emphasis. */
const opens = /^[^\s/.,;:)\]}*_]/;
const closes = /[^\s/([{*_]$/;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Longer runs are horizontal rules. */
const marksMax = 3;

interface Opening {
  readonly start: number;
  /** How many of its marks are left to close. */
  marks: number;
}

/**
 * Removes the marks of emphasis from a Markdown paragraph; they would separate words that people search for
 * together. Products, identifiers and patterns (`2*3*4`, `snake_case`, `__init__`, `*.ts`) keep theirs.
 */
export function withoutEmphasis(text: string): string {
  const open: Record<string, Opening[]> = { '*': [], _: [] };
  const cuts: [start: number, end: number][] = [];
  for (const { 0: token, index: start } of text.matchAll(tokens)) {
    const [mark = ''] = token;
    const openings = open[mark];
    if (openings === undefined || token.length > marksMax || /[^*_]/.test(token)) continue;
    const end = start + token.length;
    const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
    const isInWord = wordCharacter.test(before.slice(-1)) && wordCharacter.test(after.slice(0, 1));
    if (isInWord && (mark === '_' || token.length === 1)) continue;
    let left = token.length;
    let from = start;
    for (let last = openings.at(-1); last && left > 0 && closes.test(before); last = openings.at(-1)) {
      const marks = Math.min(left, last.marks);
      if (isIdentifier(text.slice(last.start + last.marks, from), mark, marks)) break;
      cuts.push([last.start + last.marks - marks, last.start + last.marks], [from, from + marks]);
      last.marks -= marks;
      left -= marks;
      from += marks;
      if (last.marks === 0) openings.pop();
    }
    if (left > 0 && opens.test(after)) openings.push({ start: from, marks: left });
  }
  return cut(text, cuts);
}

/**
 * Removes backslashes before signs, except in code, which has none; `snake\_case` would not be found. Where a person
 * may have written formulas, those keep them.
 */
export function withoutEscapes(text: string, holdsFormulas = false): string {
  const pattern = holdsFormulas ? escapesOutsideFormulas : escapesOnly;
  return text.replace(pattern, (all, escaped?: string) => escaped ?? all);
}

/** Whether the marks belong to an identifier: `__init__`. */
function isIdentifier(text: string, mark: string, marks: number): boolean {
  return mark === '_' && marks === 2 && /^[a-z][a-z\d_]*$/.test(text);
}

function cut(text: string, cuts: [start: number, end: number][]): string {
  let [kept, at] = ['', 0];
  for (const [start, end] of cuts.sort(([one], [other]) => one - other)) {
    kept += text.slice(at, start);
    at = end;
  }
  return kept + text.slice(at);
}
