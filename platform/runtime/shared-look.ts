/**
 * One look for everybody who asks: it is made when it is older than `ttlMs`, and who asks while it is being made gets
 * what it comes to. A failure is told to those who waited for it, and the next one to ask looks again. `now`: Unix ms.
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
