/**
 * Runs work on items, at most `concurrencyMax` at a time. After a failure no more is started, and what is
 * under way is waited for.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrencyMax: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failure: { readonly cause: unknown } | undefined;
  const runner = async () => {
    for (const item of waiting) {
      if (failure) return;
      await work(item).catch((cause: unknown) => (failure ??= { cause }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrencyMax, items.length) }, runner));
  if (failure) throw failure.cause;
}
