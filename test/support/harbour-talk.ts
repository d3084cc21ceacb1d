const said = [
  'The harbour of Tromsund was built by Zorin Wexford.',
  'Zorin Wexford studied engineering in Vesperholm.',
  'Vesperholm is a town in Norland. Zorin Wexford lives in Vesperholm.',
];

/** Messages of three people in five threads, each about the one before; the first three say what a question of two hops needs. */
export function harbourTalk(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `m${n}`,
    kind: 'message',
    provider: 'chat',
    timestamp: `2026-01-01T10:${String(n).padStart(2, '0')}:00Z`,
    fields: {
      body: said[n] ?? `Kelp of day ${n}.`,
      author: `p${n % 3}@example.org`,
      thread_id: `T${n % 5}`,
      mentions: ['ana@example.org'],
    },
    ...(n > 0 ? { relations: { ids: [`m${n - 1}`] } } : {}),
  }));
}
