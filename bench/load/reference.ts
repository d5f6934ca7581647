import { createHash } from 'node:crypto';

/**
 * A fixed computation similar to the service's work: JSON, a digest, a hash table, a loop over bytes. Its duration
 * shows how fast the machine is at the moment; costs divided by it can be compared between days.
 */
const ROUNDS = 200;
const UNITS_PER_ROUND = 10;
/** The fastest rounds are those without an interruption. */
const QUICK_SHARE = 0.25;
const DOCUMENT = {
  id: '0190a5c8-3f6b-7c44-9a5b-3c1f6c6f0a11',
  texts: Array.from(
    { length: 12 },
    (_, i) => `The report of week ${i} lists shipments, returns and open questions.`,
  ),
  counts: Array.from({ length: 40 }, (_, i) => i * 7_919),
};
const TABLE = Uint16Array.from({ length: 65_536 }, (_, i) => (i * 40_503) & 0xffff);

/** One unit; the result only keeps the compiler from removing the work. */
function unit(): number {
  const text = JSON.stringify(DOCUMENT);
  const parsed = JSON.parse(text) as typeof DOCUMENT;
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest();
  const counts = new Map<string, number>();
  for (const word of parsed.texts.join(' ').split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  let state = digest[0]!;
  for (const byte of bytes) state = TABLE[(state ^ (byte << 8)) & 0xffff]!;
  return state + counts.size;
}

/** CPU microseconds of one unit, measured for about a quarter of a second. */
export function measureReferenceUs(): number {
  const rounds: number[] = [];
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let i = 0; i < UNITS_PER_ROUND; i += 1) sum += unit();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / UNITS_PER_ROUND);
  }
  if (Number.isNaN(sum)) throw new Error('the reference computation computes nothing');
  return rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS * QUICK_SHARE)]!;
}
