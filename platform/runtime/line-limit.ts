/** Lines of one message in a second at most: a request can cause one, and an outage makes every request do so. */
const LINES_PER_SECOND = 20;
/** Messages that are told apart; those that come on top share one count. */
const MAX_MESSAGES = 1_000;

interface Count {
  second: number;
  lines: number;
  leftOut: number;
}

/** Says whether a line of this message is written: null when not, else how many were left out since the last one. */
export type LineLimit = (message: string) => number | null;

/** `clock`: milliseconds of a clock that nobody sets. */
export function createLineLimit(clock: () => number): LineLimit {
  const counts = new Map<string, Count>();
  const others: Count = { second: 0, lines: 0, leftOut: 0 };
  let clearedIn = 0;

  /** Forgets messages of earlier seconds that owe nobody a number. */
  const clear = (second: number): void => {
    if (clearedIn === second) return;
    clearedIn = second;
    for (const [message, count] of counts) {
      if (count.second < second && count.leftOut === 0) counts.delete(message);
    }
  };
  const countOf = (message: string, second: number): Count => {
    const known = counts.get(message);
    if (known !== undefined) return known;
    if (counts.size >= MAX_MESSAGES) clear(second);
    if (counts.size >= MAX_MESSAGES) return others;
    const count = { second, lines: 0, leftOut: 0 };
    counts.set(message, count);
    return count;
  };

  return (message) => {
    const second = Math.floor(clock() / 1_000);
    const count = countOf(message, second);
    if (count.second !== second) [count.second, count.lines] = [second, 0];
    if (count.lines >= LINES_PER_SECOND) {
      count.leftOut += 1;
      return null;
    }
    count.lines += 1;
    const { leftOut } = count;
    count.leftOut = 0;
    return leftOut;
  };
}
