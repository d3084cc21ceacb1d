/** Repeatable pseudo-random numbers (mulberry32), from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// Of no language: frequent words of one would have every text stemmed as such.
const syllables = 'bax cez dix fox gux lax mez nix pox rux sax tez vix wox xax zex kax lox mix nux'.split(
  ' ',
);
const vocabularySize = 30_000;

/** Texts whose words are distributed as in natural language (Zipf), so that some are in most texts and most in few. */
export class SyntheticText {
  constructor(private readonly random: () => number) {}

  text(words: number): string {
    return Array.from({ length: words }, () => this.word()).join(' ');
  }

  private word(): string {
    // The inverse of the distribution function of 1/rank.
    const rank = Math.floor(Math.exp(this.random() * Math.log(vocabularySize)));
    let word = '';
    for (let rest = rank; rest > 0 || word === ''; rest = Math.floor(rest / syllables.length)) {
      word += syllables[rest % syllables.length];
    }
    return word;
  }
}
