import type { Brightness } from '../image/rendered-png.js';

const degreesMax = 15;
const stepDegrees = 0.25;
/** Scans that are less askew are read as well as straight ones. */
const skewDegreesMin = 0.5;
/** How much brighter or darker than its neighbour a pixel at an edge is. */
const edgeMin = 40;
/** A sample of so many edges tells as much as all. */
const edgesMax = 40_000;
/** At its angle, lines of text stand out by so much from what is found at most angles; photos show less. */
const sharpnessMin = 1.5;

/** Places of edges: `along` a line of text, and `across` it. */
interface Edges {
  readonly along: Uint16Array;
  readonly across: Uint16Array;
  readonly count: number;
  readonly length: number;
  readonly height: number;
}

/**
 * By how many degrees lines of text fall to the right, or rise if negative; 0 for straight pages and for
 * pictures without lines of text. The lines may run down the page as well.
 */
export function skewOf(picture: Brightness): number {
  const found = [false, true].map((isDown) => peakOf(edgesOf(picture, isDown)));
  const [best] = found.sort((a, b) => b.sharpness - a.sharpness);
  if (best === undefined || best.sharpness < sharpnessMin || Math.abs(best.degrees) < skewDegreesMin)
    return 0;
  return best.degrees;
}

/** Upper and lower edges of what is drawn. Each run counts once, so that rules and borders weigh little. */
function edgesOf({ width, height, values }: Brightness, isDown: boolean): Edges {
  const [length, lines] = isDown ? [height, width] : [width, height];
  const [step, next] = isDown ? [width, 1] : [1, width];
  const along: number[] = [];
  const across: number[] = [];
  for (let line = 0; line < lines - 1; line += 1) {
    let wasEdge = false;
    for (let place = 0; place < length; place += 1) {
      const at = place * step + line * next;
      const isEdge = Math.abs((values[at] ?? 0) - (values[at + next] ?? 0)) > edgeMin;
      if (isEdge && !wasEdge) {
        along.push(place);
        // Where lines run down, those to the right are those above.
        across.push(isDown ? lines - 1 - line : line);
      }
      wasEdge = isEdge;
    }
  }
  const every = Math.ceil(along.length / edgesMax) || 1;
  const sample = (places: number[]) => Uint16Array.from(places.filter((_, index) => index % every === 0));
  const sampled = sample(along);
  return { along: sampled, across: sample(across), count: sampled.length, length, height: lines };
}

/** The angle at which most edges lie in few lines, and how much more they do there than at most angles. */
function peakOf(edges: Edges): { degrees: number; sharpness: number } {
  const scores: { degrees: number; score: number }[] = [];
  for (let degrees = -degreesMax; degrees <= degreesMax; degrees += stepDegrees)
    scores.push({ degrees, score: scoreOf(edges, degrees) });
  scores.sort((a, b) => b.score - a.score);
  const [first, median] = [scores[0], scores[scores.length >> 1]];
  if (first === undefined || median === undefined || median.score === 0) return { degrees: 0, sharpness: 0 };
  return { degrees: first.degrees, sharpness: first.score / median.score };
}

/** The sum of the squares of how many edges lie in each line at this angle. */
function scoreOf({ along, across, count, length, height }: Edges, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(length * Math.abs(slope));
  const lines = new Uint32Array(height + 2 * offset + 1);
  for (let index = 0; index < count; index += 1) {
    const line = Math.round((across[index] ?? 0) - (along[index] ?? 0) * slope) + offset;
    lines[line] = (lines[line] ?? 0) + 1;
  }
  return lines.reduce((sum, each) => sum + each * each, 0);
}
