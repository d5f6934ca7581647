/** Maximum number of lines per message and second: a request can cause one, and in an outage every request does. */
const LINES_PER_SECOND = 20;
/** Messages that are counted separately; any more share one count. */
const MAX_MESSAGES = 1_000;

interface Count {
  second: number;
  lines: number;
  leftOut: number;
}

/** Whether to write a line with this message: null if not, otherwise how many were suppressed since the last one. */
type LineLimit = (message: string) => number | null;

/** `clock`: monotonic, ms. */
export function createLineLimit(clock: () => number): LineLimit {
  const counts = new Map<string, Count>();
  const others: Count = { second: 0, lines: 0, leftOut: 0 };
  let clearedIn = 0;

  /** Forgets messages of earlier seconds without suppressed lines. */
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
