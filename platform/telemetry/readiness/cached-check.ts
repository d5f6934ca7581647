/**
 * One cached result for all callers: refreshed when older than `ttlMs`, and callers during a refresh share its result.
 * A failure rejects those waiting for it, and the next caller checks again. `now`: Unix ms.
 */
export function cachedCheck<Found>(
  ttlMs: number,
  now: () => number,
  read: () => Promise<Found>,
): () => Promise<Found> {
  let last: { readonly at: number; readonly found: Promise<Found> } | null = null;
  return () => {
    const at = now();
    // The clock may have been set back.
    if (last !== null && Math.abs(at - last.at) < ttlMs) return last.found;
    const made = { at, found: read() };
    last = made;
    made.found.catch(() => {
      if (last === made) last = null;
    });
    return made.found;
  };
}
