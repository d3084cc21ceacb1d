const signatureLine = '-- ';

/**
 * The paragraphs of a text in which a line that ends with a space goes on in the next one (RFC 3676). Lines
 * are joined only where equally many marks of quotation stand before them. With `delSp` that space is no part
 * of the text.
 */
export function unflowed(text: string, delSp: boolean): string {
  const lines: string[] = [];
  let open: { depth: number; parts: string[] } | undefined;
  const close = () => {
    if (open) lines.push(`${'>'.repeat(open.depth)}${open.depth > 0 ? ' ' : ''}${open.parts.join('')}`);
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    // A space before a line protects it from being read as a quotation.
    const content = line.slice(depth).replace(/^ /, '');
    const isSignature = content === signatureLine;
    if (open && (open.depth !== depth || isSignature)) close();
    const goesOn = content.endsWith(' ') && !isSignature;
    open ??= { depth, parts: [] };
    open.parts.push(goesOn && delSp ? content.slice(0, -1) : content);
    if (!goesOn) close();
  }
  close();
  return lines.join('\n');
}
