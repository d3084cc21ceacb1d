/** `count` pieces of a document. */
export const repeat = (count: number, piece: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => piece(i)).join(' ');

/** A field in itself, `depth` levels deep. */
const nested = (depth: number): string => `${'a {'.repeat(depth - 1)} a ${'}'.repeat(depth - 1)}`;

/** Fragments of which each spreads the next one twice: the last of them is spread 2 to the power of `count` times. */
export const doubling = (count: number, last = '__typename'): string =>
  `{ ...F0 } ${repeat(count, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F${count} on Query { ${last} }`;

interface Abuse {
  readonly what: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  /** Of the message: the bound, and what was asked. */
  readonly message: RegExp;
}

const search = (i: number, selection = 'queryId') =>
  `s${i}: search(database: "x", query: "q", maxResults: 250) { ${selection} }`;

/** Documents that are too much, each in one way. */
export const ABUSES: readonly Abuse[] = [
  {
    what: '15 searches of 250 results',
    query: `{ ${repeat(15, (i) => search(i))} }`,
    message: /cost at most 150000, not 191265/,
  },
  {
    what: '15 searches, the number in a variable',
    query: `query ($n: Int) { ${repeat(15, (i) => search(i).replace('250', '$n'))} }`,
    variables: { n: 250 },
    message: /cost at most 150000, not 191265/,
  },
  {
    what: '15 searches, the number the default of a variable',
    query: `query ($n: Int = 250) { ${repeat(15, (i) => search(i).replace('250', '$n'))} }`,
    message: /cost at most 150000, not 191265/,
  },
  {
    what: '15 searches in a fragment',
    query: `{ ...All } fragment All on Query { ... { ${repeat(15, (i) => search(i))} } }`,
    message: /cost at most 150000, not 191265/,
  },
  {
    what: 'a list of 200,000 values in a variable',
    query: 'query ($ids: [String!]!) { indexingStatus(database: "x", ids: $ids) { statuses { id } } }',
    variables: { ids: Array.from({ length: 200_000 }, () => 'x') },
    message: /cost at most 150000, not 200003/,
  },
  {
    what: '1,000 aliases',
    query: `{ databases(first: 1) { ${repeat(1000, (i) => `a${i}: totalCount`)} } }`,
    message: /at most 100 aliases, not 1000/,
  },
  {
    what: 'a root field 21 times',
    query: `{ ${repeat(21, (i) => `a${i}: __typename`)} }`,
    message: /at most 20 root fields, not 21/,
  },
  {
    what: 'a root field 21 times by a fragment',
    query: `{ ${repeat(21, () => '...T')} } fragment T on Query { __typename }`,
    message: /at most 20 root fields, not 21/,
  },
  {
    what: '1,001 fields',
    query: `{ databases(first: 1) { ${repeat(1000, () => 'totalCount')} } }`,
    message: /at most 1000 fields, fragments spread, not 1001/,
  },
  { what: 'fields 11 deep', query: `{ ${nested(11)} }`, message: /nest fields at most 10 deep, not 11/ },
  {
    what: 'fields 11 deep through a fragment',
    query: `{ a { ...F } } fragment F on Query { ${nested(10)} }`,
    message: /nest fields at most 10 deep, not 11/,
  },
  {
    what: 'introspection 16 deep',
    query: `{ __type(name: "Query") { ${'ofType {'.repeat(14)} name ${'}'.repeat(14)} } }`,
    message: /introspection at most 15 deep, not 16/,
  },
  {
    what: '65 selection sets in one another',
    query: `{ ${'... {'.repeat(64)} __typename ${'}'.repeat(64)} }`,
    message: /nest brackets at most 64 deep, not 65/,
  },
  {
    what: 'a list in a list, 65 deep',
    query: `{ search(database: "x", query: "q", collections: ${'['.repeat(65)}${']'.repeat(65)}) { queryId } }`,
    message: /nest brackets at most 64 deep, not 67/,
  },
  {
    what: 'fragments that double 30 times',
    query: doubling(30),
    message: /at most 20 root fields, not 1073741824/,
  },
  {
    what: 'a chain of 300 fragments',
    query: doubling(300),
    message: /nest fields and fragments at most 64 deep/,
  },
  {
    what: 'a chain of 70 fragments, the last of it first',
    query: `fragment F70 on Query { __typename } ${repeat(70, (i) => `fragment F${69 - i} on Query { ...F${70 - i} }`)} { ...F0 }`,
    message: /nest fields and fragments at most 64 deep, not 65/,
  },
  {
    what: 'fragments in a circle',
    query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    message: /fragment "A" must not spread itself/,
  },
  {
    what: 'a circle that nothing spreads',
    query: '{ __typename } fragment A on Query { ...A }',
    message: /fragment "A" must not spread itself/,
  },
  {
    what: '51 directives',
    query: `{ ${repeat(51, () => '... @include(if: true) { __typename }')} }`,
    message: /at most 50 directives, not 51/,
  },
  { what: '5,001 tokens', query: `{ ${repeat(4999, () => 'a')} }`, message: /at most 5000 tokens, not 5001/ },
  {
    what: 'a megabyte of comments',
    query: `${'#\n'.repeat(262_144)}{ __typename }`,
    message: /at most 262144 characters, not 524302/,
  },
];
