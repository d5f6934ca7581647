import type { FoundPattern } from '#core/correlate/detect.ts';
import { type StoredPattern, storedPattern } from '#core/correlate/fold/stored-pattern.ts';

/** Maximum number of patterns kept per run, and of their bytes as JSON. */
export const MAX_PATTERNS = 100;
export const MAX_PATTERN_BYTES = 256 * 1_024;

/** The patterns to keep: by score, then the less likely ones, then the earlier ones. */
export function mostCertain(found: readonly FoundPattern[]): StoredPattern[] {
  const sorted = found.toSorted(
    ({ finding: a }, { finding: b }) =>
      b.score - a.score || a.pValue - b.pValue || a.windowStart - b.windowStart || (a.id < b.id ? -1 : 1),
  );
  const kept: StoredPattern[] = [];
  let bytes = 0;
  for (const one of sorted.slice(0, MAX_PATTERNS)) {
    const pattern = storedPattern(one);
    bytes += Buffer.byteLength(JSON.stringify(pattern));
    if (bytes > MAX_PATTERN_BYTES) break;
    kept.push(pattern);
  }
  return kept;
}
