const definition = /^ {0,3}\[\^([^\]\s]{1,80})\]:[^\S\n]+(\S.*)$/;
const reference = /\[\^([^\]\s]{1,80})\](?!:)/g;
const fence = /^ {0,3}(?:`{3}|~{3})/;
const indented = /^(?: {4}|\t)/;

/**
 * The footnotes of a Markdown text (`[^1]: …`), which stand at its end, to be read where they are referred to: away
 * from there nobody knows what they explain.
 */
export class FootNotes {
  /** The text without the notes that it refers to. */
  readonly text: string;
  private readonly notes = new Map<string, string>();

  constructor(source: string) {
    const referred = new Set([...source.matchAll(reference)].map(([, label = '']) => label));
    const kept: string[] = [];
    let open: string | undefined;
    let [isCode, wasBlank] = [false, false];
    for (const line of source.split('\n')) {
      if (fence.test(line)) isCode = !isCode;
      const isBlank = !/\S/.test(line);
      const [, label = '', note = ''] = (isCode ? undefined : definition.exec(line)) ?? [];
      const goesOn = !isBlank && !fence.test(line) && (!wasBlank || indented.test(line));
      if (referred.has(label)) {
        open = label;
        this.notes.set(label, note);
      } else if (open !== undefined && goesOn) {
        this.notes.set(open, `${this.notes.get(open) ?? ''}\n${line.trim()}`);
      } else {
        if (!isBlank) open = undefined;
        kept.push(line);
      }
      wasBlank = isBlank;
    }
    this.text = kept.join('\n');
  }

  /** The notes that a text refers to, and those that these refer to; each once in a document. */
  of(text: string): string[] {
    const found: string[] = [];
    for (let from: string | undefined = text, at = 0; from !== undefined; from = found[at], at += 1) {
      for (const [mark, label = ''] of from.matchAll(reference)) {
        const note = this.notes.get(label);
        if (note !== undefined) found.push(`${mark}: ${note}`);
        this.notes.delete(label);
      }
    }
    return found;
  }

  /** The notes that nothing has told, for example because only code refers to them. */
  get rest(): string[] {
    return [...this.notes].map(([label, note]) => `[^${label}]: ${note}`);
  }
}
