/** What comes within this time is drawn together. */
const TOGETHER_MS = 50;
/** However much comes, the page is drawn no more often. */
const DRAW_MS = 250;

interface PacedDraws {
  /** Something changed: it is drawn soon. */
  changed(): void;
  stop(): void;
}

/** `later` calls back after that many ms, and returns how to call it off. `now`: ms. */
export function pacedDraws(
  draw: () => void,
  later: (ms: number, call: () => void) => () => void,
  now: () => number,
): PacedDraws {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let callOff: (() => void) | null = null;
  return {
    changed: () => {
      callOff ??= later(Math.max(TOGETHER_MS, drawnAt + DRAW_MS - now()), () => {
        callOff = null;
        drawnAt = now();
        draw();
      });
    },
    stop: () => callOff?.(),
  };
}
