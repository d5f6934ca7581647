import { OTHER_FINDINGS } from '#schemas/detector-names.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type { SuppressionReason } from '#schemas/vocabulary.ts';
import type { Match } from '../../find/match.ts';
import { addressBytes, isWithin, networkOf } from './addresses.ts';
import { patternTest } from './allowed-patterns.ts';
import { plainOf, valueTest } from './allowed-values.ts';

/** Longer values are reported whatever is allowed: no allowed value is as long, and comparing them takes time. */
const MAX_COMPARED = 4_096;

/** Why a finding is suppressed; null: it is reported. */
type Why<Asked extends readonly unknown[]> = (...asked: Asked) => SuppressionReason | null;

/** A sandbox's detection settings, ready to be applied to any number of findings. */
export interface CompiledSettings {
  /** By detector and confidence; null: the settings say nothing of them. */
  readonly whyOff: Why<[Match]> | null;
  /** By the value, which is `text` at the finding's span; null: nothing is allowed. */
  readonly whyAllowed: Why<[Match, string]> | null;
  /** Steps of the allowed patterns together. */
  readonly patternSteps: number;
}

/** Never suppressed: sexual material that names a minor, and what the customer's own rules look for. */
const isExempt = ({ code, entity }: Match): boolean => code === 'CSAM' || entity === 'CUSTOM_RULE';

/** Yields after each pattern. */
export function* compileSettings(settings: DetectionSettings): Generator<void, CompiledSettings> {
  const { allowedValues, allowedCidrs, allowedPatterns, detectorsOff, minConfidence } = settings;
  const patterns = yield* patternTest(allowedPatterns);
  const isValue = valueTest(allowedValues);
  const networks = allowedCidrs.flatMap((cidr) => networkOf(cidr) ?? []);
  const isAllowing = allowedValues.length + networks.length + allowedPatterns.length > 0;

  const whyAllowed = (match: Match, text: string): SuppressionReason | null => {
    const { entity, start, end } = match;
    if (entity === null || isExempt(match) || end - start > MAX_COMPARED) return null;
    const value = text.slice(start, end);
    const plain = plainOf(value);
    if (isValue(entity, plain)) return 'ALLOWED_VALUE';
    const address = entity === 'IP_ADDRESS' ? addressBytes(plain.trim()) : null;
    if (address !== null && networks.some((network) => isWithin(address, network))) return 'ALLOWED_CIDR';
    return patterns.matches(value) || (plain !== value && patterns.matches(plain)) ? 'ALLOWED_PATTERN' : null;
  };
  return {
    whyOff: detectorsOff.length + minConfidence.length === 0 ? null : whyOff(settings),
    whyAllowed: isAllowing ? whyAllowed : null,
    patternSteps: patterns.steps,
  };
}

/** Of several minimums the one of the detector counts, then that of the type, then the default. */
function whyOff({ detectorsOff, minConfidence }: DetectionSettings): Why<[Match]> {
  const off = new Set(detectorsOff);
  const least = new Map(minConfidence.map(({ of, confidence }) => [of, confidence]));
  return (match) => {
    if (isExempt(match)) return null;
    const { detector, entity, confidence } = match;
    if (off.has(detector)) return 'DETECTOR_OFF';
    const needed =
      least.get(detector) ?? least.get(entity ?? OTHER_FINDINGS) ?? least.get(OTHER_FINDINGS) ?? 0;
    return confidence < needed ? 'LOW_CONFIDENCE' : null;
  };
}
