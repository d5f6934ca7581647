/**
 * One cached look for all callers: refreshed when it is older than `ttlMs`, and callers during a refresh share its
 * result. A failure rejects those who waited for it, and the next caller looks again. `now`: Unix ms.
 */
export function sharedLook<Found>(
  ttlMs: number,
  now: () => number,
  look: () => Promise<Found>,
): () => Promise<Found> {
  let last: { readonly at: number; readonly found: Promise<Found> } | null = null;
  return () => {
    const at = now();
    // A clock may be set back.
    if (last !== null && Math.abs(at - last.at) < ttlMs) return last.found;
    const made = { at, found: look() };
    last = made;
    made.found.catch(() => {
      if (last === made) last = null;
    });
    return made.found;
  };
}
