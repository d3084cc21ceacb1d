/** Offices by their abbreviations. */
const offices: readonly (readonly [abbreviation: string, office: string])[] = [
  ['ceo', 'chief executive officer'],
  ['cfo', 'chief financial officer'],
  ['coo', 'chief operating officer'],
  ['cto', 'chief technology officer'],
  ['cio', 'chief information officer'],
  ['ciso', 'chief information security officer'],
  ['cmo', 'chief marketing officer'],
  ['cpo', 'chief product officer'],
  ['dpo', 'data protection officer'],
  ['vp', 'vice president'],
  ['md', 'managing director'],
];
const forms = offices.map(([abbreviation, office]) => ({
  abbreviation,
  office,
  // "chief executive" is the officer too.
  pattern: new RegExp(`\\b${office.replace(/ officer$/, '')}\\b`, 'i'),
  short: new RegExp(`\\b${abbreviation}\\b`, 'i'),
}));

/** The words of a post, with the other form of an office: "CEO" and "chief executive officer". */
export function withOtherForm(post: string): string {
  const others = forms.flatMap(({ abbreviation, office, pattern, short }) => [
    ...(pattern.test(post) ? [abbreviation] : []),
    ...(short.test(post) ? [office] : []),
  ]);
  return [post, ...others].join(' ');
}
