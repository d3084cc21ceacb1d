export interface FusedHit {
  id: string;
  score: number;
  ranks: { dense?: number; sparse?: number };
}
interface Hit {
  id: string;
  score: number;
}
export function fuse({
  dense,
  sparse,
  alpha,
}: {
  dense: readonly Hit[];
  sparse: readonly Hit[];
  alpha: number | 'auto';
  query: string;
}): FusedHit[] {
  const a = alpha === 'auto' ? 0.3 : alpha;
  const hits = new Map<string, FusedHit>();
  const add = (lane: readonly Hit[], name: 'dense' | 'sparse', w: number) =>
    lane.forEach((h, i) => {
      const hit = hits.get(h.id) ?? { id: h.id, score: 0, ranks: {} };
      hit.score += (w * h.score) / (lane[0]?.score || 1);
      hit.ranks[name] = i + 1;
      hits.set(h.id, hit);
    });
  add(dense, 'dense', a);
  add(sparse, 'sparse', 1 - a);
  return [...hits.values()].sort((x, y) => y.score - x.score);
}
