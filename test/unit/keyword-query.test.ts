import { describe, expect, test } from '@jest/globals';
import { buildKeywordQuery } from '../../src/retrieval/lanes/keyword-query.js';
import { analyze, stem, termId } from '../../src/text/analyzer.js';
import { inverseDocumentFrequency } from '../../src/text/bm25.js';

/** A store of 1,000 chunks; `mayHaveAsked` is filled with the terms of which it is asked whether it may hold them. */
const storeOf = (frequencies: ReadonlyMap<number, number>, mayHaveAsked: number[] = []) => ({
  lookUp: (terms: readonly number[]) =>
    Promise.resolve({
      chunks: 1000,
      // Beside the terms stand counters of the store.
      frequencies: new Map([[0, 1000], ...[...frequencies].filter(([term]) => terms.includes(term))]),
    }),
  here: frequencies,
  mayHold: (terms: readonly number[]) => {
    mayHaveAsked.push(...terms);
    return Promise.resolve(terms);
  },
});

/** The weights of a query in a store of 1,000 chunks in which each word stands in so many. */
async function weightsOf(
  query: string,
  words: Readonly<Record<string, number>>,
): Promise<Map<string, number>> {
  const frequencies = new Map(
    Object.entries(words).map(([word, count]) => [termId(analyze(word)[0] ?? ''), count]),
  );
  const built = await buildKeywordQuery(query, storeOf(frequencies));
  const found = Object.keys(words).map((word): [string, number] => [
    word,
    built?.weights.get(termId(analyze(word)[0] ?? '')) ?? 0,
  ]);
  return new Map(found.filter(([, weight]) => weight > 0));
}

test('a word that no chunk has stands for those one slip away, and counts less', async () => {
  const meant = (await weightsOf('brittish', { british: 20, coral: 5 })).get('british') ?? 0;
  const written = (await weightsOf('british', { british: 20 })).get('british') ?? 0;
  expect(meant).toBeGreaterThan(0);
  expect(meant).toBeLessThan(written);
});

test('of many such words the three that most chunks have', async () => {
  const known = { state: 3, stage: 5, stale: 1, stake: 4, stave: 2 };
  expect([...(await weightsOf('staxe', known)).keys()].toSorted()).toEqual(['stage', 'stake', 'state']);
});

test.each([
  ['srface', 'surface'],
  ['universty', 'university'],
  ['cndidate', 'candidate'],
  ['plaecd', 'placed'],
  ['Chrstopher', 'Christopher'],
  ['frces', 'forces'],
])('a slip is one of the word as it is written, whatever its stem is: %s', async (query, meant) => {
  expect([...(await weightsOf(query, { [meant]: 3 })).keys()]).toEqual([meant]);
});

test.each([
  ['I forgot my password', {}, []],
  ['I forgot my password', { password: 2 }, ['i', 'password']],
  ['what do I do', {}, ['i']],
  ['I forgot my password', { user: 300 }, []],
  ['I forgot my password', { user: 500 }, ['i']],
])(
  'who speaks says nothing where nothing is known of what is said, but to an assistant: %s %j',
  async (query, words, wanted) => {
    const known = new Map(
      [...Object.entries(words), ['i', 9] as const].map(([word, count]) => [termId(stem(word)), count]),
    );
    const built = await buildKeywordQuery(query, storeOf(known));
    const asked = ['i', 'password'].filter((word) => built?.weights.has(termId(stem(word))));
    expect(asked).toEqual(wanted);
  },
);

test.each([1, 100, 900])('who speaks weighs as much where %d of 1,000 chunks say it', async (chunks) => {
  const known = new Map([
    [termId('i'), chunks],
    [termId('cat'), 10],
  ]);
  const built = await buildKeywordQuery('what did I tell of my cat', storeOf(known));
  expect(built?.weights.get(termId('i'))).toBe(1.25);
});

test.each([
  ['begins otherwise', 'Benton', { fenton: 3 }],
  ['is short', 'shoe', { show: 3 }],
  ['is short and ends in s', 'gas', { ga: 3 }],
])('a word that %s is another word', async (_, query, words) => {
  expect(await weightsOf(query, words)).toEqual(new Map());
});

test.each([
  ['pdfs', 'pdf'],
  ['ndas', 'nda'],
  ['cds', 'cd'],
])('unless it looks like an abbreviation in the plural: %s', async (query, singular) => {
  expect([...(await weightsOf(query, { [singular]: 3 })).keys()]).toEqual([singular]);
});

test('the whole of a query weighs what it has, and what no chunk has as much as the rarest', async () => {
  const [coral, reef] = ['coral', 'reef'].map(termId) as [number, number];
  const built = await buildKeywordQuery(
    'coral reef zzqx',
    storeOf(
      new Map([
        [coral, 5],
        [reef, 9],
      ]),
    ),
  );
  const weights = [5, 9, 0].map((chunks) => inverseDocumentFrequency(chunks, 1000));
  expect(built?.whole).toBeCloseTo(weights.reduce((sum, weight) => sum + weight));
  const mine = await buildKeywordQuery(
    'my coral reef zzqx',
    storeOf(
      new Map([
        [coral, 5],
        [reef, 9],
      ]),
    ),
  );
  expect(mine?.whole).toBe(built?.whole);
});

test('what a query says in another spelling is neither missing nor misspelt where no chunk has that', async () => {
  const words = ['march', '3', '2024'].map((word) => [termId(word), 5] as const);
  const mayHaveAsked: number[] = [];
  const built = await buildKeywordQuery('March 3, 2024', storeOf(new Map(words), mayHaveAsked));
  expect(built?.whole).toBeCloseTo(3 * inverseDocumentFrequency(5, 1000));
  expect(mayHaveAsked).toEqual([]);
  const week = await buildKeywordQuery('week 25', storeOf(new Map([[termId('w25'), 5]])));
  // One of its two words is missing, since the code stands for it.
  const [found, missing] = [5, 0].map((chunks) => inverseDocumentFrequency(chunks, 1000));
  expect(week?.whole).toBeCloseTo((found ?? 0) + (missing ?? 0));
});

test('a word that some chunk has stands for itself alone', async () => {
  expect([...(await weightsOf('sponsor', { sponsor: 1, sponser: 9 })).keys()]).toEqual(['sponsor']);
});

test.each([
  ['кошкка', { кошка: 3 }],
  ['ελλδάα', { ελλάδα: 3 }],
])('so does one beyond ASCII: %s', async (query, words) => {
  expect([...(await weightsOf(query, words)).keys()]).toEqual(Object.keys(words));
});

test('a word of another language that some chunk has in another form is written well', async () => {
  // The stem of кошками is known, and кошкам is one slip away.
  const asked: number[] = [];
  const frequencies = new Map([[termId('кошк'), 3]]);
  await buildKeywordQuery('кошками', {
    lookUp: (terms) => {
      asked.push(...terms);
      return Promise.resolve({ chunks: 1000, frequencies });
    },
    here: frequencies,
    mayHold: (terms) => Promise.resolve(terms),
  });
  expect(asked).toEqual(['кошками', 'кошк'].map(termId));
});

test('its codes that few chunks have are known, and nothing that says when', async () => {
  const codesOf = async (query: string, chunks: number) => {
    const store = storeOf(new Map(analyze(query).map((term) => [termId(term), chunks])));
    return (await buildKeywordQuery(query, store))?.codes;
  };
  expect(await codesOf('pump E15', 10)).toEqual([termId('e15')]);
  expect(await codesOf('pump E15', 11)).toEqual([]);
  for (const when of ['Q3', 'FY2023', 'W25']) expect(await codesOf(`pump ${when}`, 5)).toEqual([]);
});

test('what a query repeats weighs more, by the square root', async () => {
  const once = (await weightsOf('coral', { coral: 5 })).get('coral') ?? 0;
  const often = await weightsOf('the coral of a coral reef: corals', { coral: 5, reef: 5 });
  expect(often.get('reef')).toBeCloseTo(once, 9);
  expect(often.get('coral')).toBeCloseTo(once * Math.sqrt(3), 9);
});

test.each([
  ['a twentieth of the chunks', 100_000, [900, 1500, 2500, 4000], 3],
  ['ten thousand chunks of a large store', 10_000_000, [2000, 7000, 1000, 1001], 3],
  ['two thousand chunks of a small one', 3000, [900, 1100, 1], 2],
])('terms nominate %s at most, the rarest first', async (_, chunks, counts, nominating) => {
  const terms = counts.map((count, nth) => [termId(analyze(`term${nth}`)[0] ?? ''), count] as const);
  const { nominators, weights } = (await buildKeywordQuery(
    counts.map((_count, nth) => `term${nth}`).join(' '),
    {
      lookUp: () => Promise.resolve({ chunks, frequencies: new Map(terms) }),
      here: new Map(terms),
      mayHold: (asked) => Promise.resolve(asked),
    },
  )) ?? { nominators: [], weights: new Map() };
  const rarest = [...terms].sort(([, a], [, b]) => a - b).map(([term]) => term);
  expect(nominators).toEqual(rarest.slice(0, nominating));
  expect(weights.size).toBe(counts.length);
});

/** What terms weigh in a query, beside what they would weigh if each were asked for alone: all are in ten of 1,000 chunks, but for some. */
async function sharesOf(
  query: string,
  terms: readonly string[],
  chunksOf: Readonly<Record<string, number>> = {},
): Promise<number[]> {
  const held = terms
    .map((term) => [termId(term), chunksOf[term] ?? 10] as const)
    .filter(([, chunks]) => chunks > 0);
  const { weights } = (await buildKeywordQuery(query, storeOf(new Map(held)))) ?? {
    weights: new Map<number, number>(),
  };
  return terms.map((term) => {
    const alone = inverseDocumentFrequency(chunksOf[term] ?? 10, 1000);
    return Number(((weights.get(termId(term)) ?? 0) / alone).toFixed(6));
  });
}

describe('forms of one word share its weight', () => {
  test('an English stem and that of its language', async () => {
    expect(await sharesOf('кошками', ['кошками', 'кошк'])).toEqual([0.4, 0.6]);
  });

  test('a stem that the store does not know leaves the other one all of it', async () => {
    expect(await sharesOf('кошками', ['кошками', 'кошк'], { кошк: 0 })).toEqual([1, 0]);
    expect(await sharesOf('кошками', ['кошками', 'кошк'], { кошками: 0 })).toEqual([0, 1]);
  });

  test('which is all of it where the stem is also a word of the query', async () => {
    expect(await sharesOf('die Häuser und das Haus', ['haus'])).toEqual([Number(Math.SQRT2.toFixed(6))]);
  });

  test('a frequent word of another language weighs half', async () => {
    expect(
      await sharesOf(
        'das Gold',
        ['das', 'gold'].map((word) => analyze(word)[0] ?? ''),
      ),
    ).toEqual([0.5, 1]);
  });

  test('a compound weighs less than its parts', async () => {
    expect(await sharesOf('blue-green', ['bluegreen', 'blue', 'green'])).toEqual([0.3, 1, 1]);
  });

  test('unless it is written without its hyphen in more chunks than have one of its parts', async () => {
    expect(await sharesOf('e-mail', ['email', 'e', 'mail'], { email: 30 })).toEqual([1, 1, 1]);
  });

  test('a code is no compound', async () => {
    expect(await sharesOf('err-4042', ['err4042', 'err', '4042'])).toEqual([1, 1, 1]);
  });

  test('a Korean word with its particle, without, and its pairs', async () => {
    const terms = ['라이브러리를', '라이브러리', '라이', '이브', '브러', '러리'];
    expect(await sharesOf('라이브러리를', terms)).toEqual([0.3, 0.5, 0.3, 0.3, 0.3, 0.3]);
  });

  test('what is also a word of its own weighs as one', async () => {
    expect(await sharesOf('라이브러리 이브', ['라이브러리', '라이', '이브'])).toEqual([
      0.5,
      0.3,
      Number(Math.SQRT2.toFixed(6)),
    ]);
  });
});

describe('a compound of a language that writes it as one word is also asked for by the words that it is made of', () => {
  test('which weigh less than words that were written', async () => {
    const terms = ['goldmarkt', 'gold', 'markt'];
    expect(await sharesOf('das Goldmarkt', terms, { goldmarkt: 0 })).toEqual([0, 0.7, 0.7]);
  });

  test('which together have at most so much of the compound where the store knows it', async () => {
    const terms = ['goldmarkt', 'gold', 'markt'];
    const [known, other] = [2, 10].map((chunks) => inverseDocumentFrequency(chunks, 1000)) as [
      number,
      number,
    ];
    const share = Number(((0.7 * known) / (2 * other)).toFixed(6));
    expect(await sharesOf('das Goldmarkt', terms, { goldmarkt: 2 })).toEqual([1, share, share]);
  });

  test('of all ways to part it, that whose words are known best', async () => {
    const terms = ['staub', 'eck', 'stau', 'beck'];
    expect(await sharesOf('das Staubecken', terms, { stau: 30, beck: 30 })).toEqual([0, 0, 0.7, 0.7]);
  });

  test.each([
    ['it is better known than they are', 'das Goldmarkt', { goldmarkt: 40 }],
    ['one of them is not known', 'das Goldmarkt', { markt: 0 }],
    ['it is English', 'the Goldmarkt', {}],
  ])('but not where %s', async (_, query, chunksOf) => {
    const terms = ['gold', 'markt', 'goldmarkt'];
    expect((await sharesOf(query, terms, chunksOf)).slice(0, 2)).toEqual([0, 0]);
  });

  test('then it is no slip of another word', async () => {
    const asked: number[] = [];
    const held = new Map(['gold', 'markt'].map((term) => [termId(term), 5]));
    await buildKeywordQuery('das Goldmarkt', storeOf(held, asked));
    expect(asked).toContain(termId('markt'));
    expect(asked).not.toContain(termId('goldmarkts'));
  });
});

describe('a word that the store does not know, in a query that tells no language, may be of any', () => {
  test('and is found by its stem there, or by the words that it is made of', async () => {
    expect(await sharesOf('Versicherungen', ['versicher'])).toEqual([0.7]);
    expect(await sharesOf('Goldmarkt', ['gold', 'markt'])).toEqual([0.7, 0.7]);
  });

  test('by these only where no stem is known', async () => {
    const terms = ['wasserturm', 'wass', 'turm'];
    expect(await sharesOf('Wassertürmen', terms, { wasserturm: 2 })).toEqual([0.7, 0, 0]);
  });

  test.each([
    ['the store knows it', 'Versicherungen', { versicherungen: 1 }],
    ['the query tells its language', 'of Versicherungen', { versicherungen: 0 }],
  ])('but not where %s', async (_, query, chunksOf) => {
    expect((await sharesOf(query, ['versicher', 'versicherungen'], chunksOf))[0]).toBe(0);
  });

  test('it may be misspelt all the same', async () => {
    expect(await sharesOf('internt', ['intern', 'internet'])).toEqual([0.7, 0.6]);
  });
});

describe('a context', () => {
  const words = { incident: 3, checkout: 5, wrote: 9, assign: 9, rent: 9, flat: 9, i: 400, oslo: 2, live: 9 };
  const frequencies = new Map(Object.entries(words).map(([word, count]) => [termId(stem(word)), count]));
  const built = (query: string, context: string | null) =>
    buildKeywordQuery(query, storeOf(frequencies), { context });
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

  test.each([
    ['what should I do?', Infinity],
    ['who wrote it?', 2],
    ['who wrote there?', 2],
    ['and the rent', 2],
    ['and what about it for the rent', 2],
    ['and for the rent', 1],
    ['what is the rent of the flat?', 1],
    ['how is the oslo rent?', 0.5],
    ['who is assigned?', 1],
    ['is rent for the flat assigned to it', 0.5],
    ['rent of the flat', 0.5],
    ['does it rain in Oslo?', 0.5],
    ['where do I live?', 0.5],
  ])('counts for as much as a query leaves open: %s', async (query, share) => {
    const alone = await built(query, null);
    const own = sum(alone?.weights.values() ?? []);
    const context = Array.from({ length: 40 }, (_, n) => `incident checkout ${n}`).join(' ');
    const found = await built(query, context);
    const ofContext = sum(found?.weights.values() ?? []) - own;
    const most = inverseDocumentFrequency(3, 1000) + inverseDocumentFrequency(5, 1000);
    const termShare = { Infinity: 1, 2: 1, 1: 0.5 }[share] ?? 0.3;
    expect(ofContext).toBeCloseTo(Math.min(most * termShare, own * share), 9);
    const nominating = found?.rarestFirst.map(([term]) => term) ?? [];
    expect(nominating.includes(termId(stem('incident')))).toBe(share >= 1);
  });

  test('counts less the further back it stands, and its end is never left out', async () => {
    const between = Array.from({ length: 250 }, (_, n) => `word${n}`);
    const weigh = async (parts: readonly string[]) => {
      const { weights } = (await built('what is the rent of the flat?', parts.join(' '))) ?? {};
      return weights?.get(termId(stem('checkout'))) ?? 0;
    };
    expect(await weigh(['checkout', ...between])).toBe(0);
    const [far, near, last] = [
      await weigh(['checkout', ...between.slice(0, 16)]),
      await weigh(['checkout', ...between.slice(0, 7)]),
      await weigh([...between, 'checkout']),
    ];
    expect(near).toBe(last);
    expect(far).toBeCloseTo(near / 2, 9);
  });
});
