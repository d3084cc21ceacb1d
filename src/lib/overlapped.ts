/**
 * Runs two stages over parts, in order: `prepare` of a part beside `finish` of the one before, so that no more
 * than two parts are held. However it ends, no `finish` is under way any more. @throws the first failure
 */
export async function overlapped<Part, Prepared>(
  parts: AsyncIterable<Part>,
  prepare: (part: Part) => Promise<Prepared>,
  finish: (part: Part, prepared: Prepared) => Promise<void>,
): Promise<void> {
  let finishing: Promise<void> = Promise.resolve();
  try {
    for await (const part of parts) {
      const preparing = prepare(part);
      // Awaited below, unless the part before fails first.
      preparing.catch(() => undefined);
      await finishing;
      finishing = finish(part, await preparing);
      // Awaited with the next part, or below.
      finishing.catch(() => undefined);
    }
  } finally {
    await Promise.allSettled([finishing]);
  }
  await finishing;
}
