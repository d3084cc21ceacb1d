const [head, signature, end] = [
  '-----BEGIN PGP SIGNED MESSAGE-----',
  '-----BEGIN PGP SIGNATURE-----',
  '-----END PGP SIGNATURE-----',
];

/** A text without what PGP puts around the parts that it signs (RFC 4880, 7). */
export function withoutSignature(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(head, at);
    const signed = text.indexOf(signature, start);
    const after = text.indexOf(end, signed);
    if (start < 0 || signed < 0 || after < 0) break;
    kept.push(text.slice(at, start), signedPart(text.slice(start + head.length, signed)));
    at = after + end.length;
  }
  return kept.join('') + text.slice(at);
}

/** What stands below the names of the hashes; lines that begin with a dash have `- ` before it. */
function signedPart(part: string): string {
  const body = /\n[^\S\n]*\r?\n/.exec(part);
  return part.slice(body ? body.index + body[0].length : 0).replace(/^- /gm, '');
}
