import { detect } from '#core/detect/detect.ts';
import { finish } from '#core/detect/find/steps.ts';
import { assess } from '#core/detect/judge/assess.ts';
import { rankOfLevel } from '#core/detect/judge/severity.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { scanInSteps } from '#core/detect/scan.ts';
import type { OrdinaryExchange } from './exchanges.ts';

/** Results of a service with all detectors enabled on harmless exchanges. */
export interface Noise {
  exchanges: number;
  /** Number of prompts that a scan changes. */
  changed: number;
  /** Number of signals at MEDIUM or higher, and at HIGH or higher. */
  medium: number;
  high: number;
  /** Signals by the code that raised them to MEDIUM or higher. */
  readonly reasons: Map<string, number>;
}

const SCAN = {
  sandboxType: 'FULL_SPECTRUM',
  guardianAction: 'REDACT_AND_CONTINUE',
  redactionStrategy: 'FULL',
} as const;
const AUDIT = { sandboxType: 'FULL_SPECTRUM', regulations: [], alertThreshold: 'HIGH' } as const;

/** Lower bound of each length class, in words. */
const LENGTHS = [0, 20, 60, 120, 240, 480] as const;

function lengthOf({ prompt, response }: OrdinaryExchange): string {
  const words = (`${prompt} ${response}`.match(/\S+/g) ?? []).length;
  const at = LENGTHS.findLastIndex((from) => words >= from);
  const next = LENGTHS[at + 1];
  return next === undefined ? `from ${LENGTHS[at]} words` : `${LENGTHS[at]} to ${next - 1} words`;
}

const newNoise = (): Noise => ({ exchanges: 0, changed: 0, medium: 0, high: 0, reasons: new Map() });

interface Verdict {
  readonly changed: boolean;
  readonly rank: number;
  readonly reason: string;
}

function judge({ prompt, response }: OrdinaryExchange): Verdict {
  const asked: SourceText[] = [{ source: 'userInput', text: prompt }];
  const clean = finish(scanInSteps(asked, detect(asked), SCAN, () => '')).cleanTexts.get('userInput');
  const matches = detect([
    { source: 'prompt', text: prompt },
    { source: 'response', text: response },
  ]);
  const { riskLevel, rating } = assess(matches, AUDIT);
  return {
    changed: clean !== prompt,
    rank: rankOfLevel(riskLevel),
    reason: `${rating.decidedBy}${rating.raised === null ? '' : ` ${rating.raised}`}`,
  };
}

function add(noise: Noise, { changed, rank, reason }: Verdict): void {
  noise.exchanges += 1;
  if (changed) noise.changed += 1;
  if (rank < rankOfLevel('MEDIUM')) return;
  noise.medium += 1;
  noise.reasons.set(reason, (noise.reasons.get(reason) ?? 0) + 1);
  if (rank >= rankOfLevel('HIGH')) noise.high += 1;
}

interface NoiseTable {
  /** By material, in the order of their first exchange. */
  readonly byMaterial: ReadonlyMap<string, Noise>;
  /** By length class, from the shortest. */
  readonly byLength: ReadonlyMap<string, Noise>;
  readonly all: Noise;
}

const noiseOf = (table: Map<string, Noise>, row: string): Noise => {
  const noise = table.get(row) ?? newNoise();
  table.set(row, noise);
  return noise;
};

export function measureNoise(exchanges: Iterable<OrdinaryExchange>): NoiseTable {
  const [byMaterial, byLength, all] = [new Map<string, Noise>(), new Map<string, Noise>(), newNoise()];
  for (const exchange of exchanges) {
    const verdict = judge(exchange);
    add(noiseOf(byMaterial, exchange.material), verdict);
    add(noiseOf(byLength, lengthOf(exchange)), verdict);
    add(all, verdict);
  }
  const shortestFirst = [...byLength].sort(([a], [b]) => numberIn(a) - numberIn(b));
  return { byMaterial, byLength: new Map(shortestFirst), all };
}

const numberIn = (row: string): number => Number(/\d+/.exec(row)?.[0]);
