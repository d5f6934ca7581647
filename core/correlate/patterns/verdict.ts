import type { CorrelationDimension, FindingType } from '#schemas/vocabulary.ts';
import type { Counters } from '../state/counters.ts';
import type { Evidence } from '../state/evidence.ts';
import { nameOfShape } from '../state/prompt-shapes.ts';
import type { Key } from '../state/shapes.ts';

/** The finding of a rule in a window. */
export interface Verdict {
  readonly type: FindingType;
  readonly key: string;
  readonly evidence: Evidence;
  readonly baseline: number;
  readonly observed: number;
  readonly test: string;
  readonly pValue: number;
  /** The p-value below which it is a finding. */
  readonly threshold: number;
  readonly description: string;
}

export const looksAt = ({ settings }: Pick<Counters, 'settings'>, dimension: CorrelationDimension): boolean =>
  settings.dimensions.includes(dimension);

/** The name of a key in a finding. */
export function nameOf({ kind, word, sandbox, model, provider, shape }: Key): string {
  const code = `violation:${word}`;
  switch (kind) {
    case 'RISK':
      return `risk:${word}`;
    case 'CODE':
      return code;
    case 'SANDBOX_CODE':
      return `sandbox:${sandbox!.id}/${code}`;
    case 'MODEL_CODE':
      return `model:${model!.provider}/${model!.name}/${code}`;
    case 'PROVIDER_CODE':
      return `provider:${provider!.name}/${code}`;
    case 'SHAPE_CODE':
      return `shape:${nameOfShape(shape)}/${code}`;
    default:
      return `sandbox:${sandbox!.id}`;
  }
}

/** A number in a description: integers as they are, others to two digits. */
export const formatNumber = (number: number): string =>
  Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(2)));

export const percent = (share: number): string => `${formatNumber(Math.round(share * 1000) / 10)} %`;

/** "an hour", "a day", "15 minutes". */
export function formatLength(lengthMs: number): string {
  const minutes = lengthMs / 60_000;
  if (minutes === 60) return 'an hour';
  if (minutes === 1_440) return 'a day';
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
