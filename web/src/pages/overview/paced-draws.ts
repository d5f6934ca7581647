/** Changes within this time are drawn together. */
const TOGETHER_MS = 50;
/** Minimum time between two draws. */
const DRAW_MS = 250;

interface PacedDraws {
  /** Schedules a draw soon. */
  changed(): void;
  stop(): void;
}

/** `later` calls back after this many ms, and returns a function that cancels it. `now`: ms. */
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
