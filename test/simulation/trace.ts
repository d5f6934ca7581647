/** The events of a run in order. Its hash shows whether two runs were the same. */
export interface Trace {
  note(at: number, who: string, what: string): void;
  hash(): string;
  /** The last `count` lines in readable form. */
  last(count: number): string[];
  lines(): number;
}

/** Number of lines kept when the whole trace is not requested. */
const KEPT = 400;

export function createTrace(keepsAll: boolean): Trace {
  let kept: string[] = [];
  let count = 0;
  let low = 0x811c9dc5;
  let high = 0x01000193;
  const mix = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) {
      low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
      high = Math.imul(high ^ low, 0x85ebca6b) ^ (high >>> 13);
    }
  };
  return {
    note: (at, who, what) => {
      const line = `${(at / 1_000).toFixed(3).padStart(9)}  ${who.padEnd(11)} ${what}`;
      mix(line);
      count += 1;
      kept.push(line);
      if (!keepsAll && kept.length > 2 * KEPT) kept = kept.slice(-KEPT);
    },
    hash: () => (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0'),
    last: (wanted) => kept.slice(-wanted),
    lines: () => count,
  };
}
