/** A chunk that one lane or both have found. */
export interface FusedHit {
  id: string;
  /** 0 to 1. */
  score: number;
  /** The places in the lanes that found it, from 1. */
  ranks: { dense?: number; sparse?: number };
}

interface LaneHit {
  readonly id: string;
  readonly score: number;
}

/** Weights of the dense lane, measured with the built-in embedder on vaswani, MuSiQue and HotpotQA. */
const alphas = { exact: 0.03, natural: 0.1 } as const;

const quoted = /"[^"]+"|“[^“”]+”|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])/u;
// ERR-4042, v1.2.3, foo_bar, user@host.com, HTTPServer, 10.0.0.1; but no well-known and no U.S.
const code =
  /\p{L}[-_./:#]?\p{N}|\p{N}[-_./:#]?\p{L}|[\p{L}\p{N}][_@:#][\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{N}{3,}|\p{N}[./:-]\p{N}/u;

/**
 * Merges the hits of both lanes, best first, by a weighted mean of scores that each lane spreads over 0 to 1. `alpha`
 * is the weight of the dense lane: 1 leaves its order, 0 that of the sparse lane. When a lane is empty the other decides.
 */
export function fuse(input: {
  dense: readonly LaneHit[];
  sparse: readonly LaneHit[];
  alpha: number | 'auto';
  query: string;
}): FusedHit[] {
  const { dense, sparse } = input;
  const wanted = input.alpha === 'auto' ? automaticAlpha(input.query) : Math.min(1, Math.max(0, input.alpha));
  const alpha = dense.length === 0 ? 0 : sparse.length === 0 ? 1 : wanted;
  const hits = new Map<string, FusedHit>();
  addLane(hits, { name: 'dense', lane: dense, weight: alpha });
  addLane(hits, { name: 'sparse', lane: sparse, weight: 1 - alpha });
  // A lane without weight only tells its ranks of what the other has found; the other keeps its order.
  if (alpha === 0) return sparse.flatMap(({ id }) => hits.get(id) ?? []);
  if (alpha === 1) return dense.flatMap(({ id }) => hits.get(id) ?? []);
  return [...hits.values()].sort((a, b) => b.score - a.score || compareIds(a.id, b.id));
}

/** How much the dense lane tells about a query: little when exact words are asked for, as in codes and quotes. */
function automaticAlpha(query: string): number {
  return quoted.test(query) || code.test(query) ? alphas.exact : alphas.natural;
}

function addLane(
  hits: Map<string, FusedHit>,
  { name, lane, weight }: { name: 'dense' | 'sparse'; lane: readonly LaneHit[]; weight: number },
): void {
  const best = lane[0]?.score ?? 0;
  const spread = best - (lane.at(-1)?.score ?? 0);
  lane.forEach(({ id, score }, index) => {
    const hit = hits.get(id) ?? { id, score: 0, ranks: {} };
    const share = spread > 0 ? 1 - (best - score) / spread : 1;
    hit.score = Math.min(1, hit.score + weight * share);
    hit.ranks[name] = index + 1;
    hits.set(id, hit);
  });
}

function compareIds(a: string, b: string): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
