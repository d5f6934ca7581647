import { OTHER_FINDINGS } from '#schemas/detector-names.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type { SuppressionReason } from '#schemas/vocabulary.ts';
import type { Match } from '../../find/match.ts';
import { addressBytes, isWithin, networkOf } from './addresses.ts';
import { patternTest } from './allowed-patterns.ts';
import { plainOf, valueTest } from './allowed-values.ts';

/** Longer values are always reported: no allowed value is that long, and comparing them takes time. */
const MAX_COMPARED = 4_096;

/** The reason to suppress a match; null if it is reported. */
type Why<Args extends readonly unknown[]> = (...args: Args) => SuppressionReason | null;

/** A sandbox's detection settings, compiled for reuse. */
export interface CompiledSettings {
  /** Decides by detector and confidence; null if the settings restrict neither. */
  readonly whyOff: Why<[Match]> | null;
  /** Decides by value, which is the match's span of the given text; null if nothing is allowed. */
  readonly whyAllowed: Why<[Match, string]> | null;
  /** Total steps of the allowed patterns. */
  readonly patternSteps: number;
}

/** CSAM and custom rule hits are never suppressed. */
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

/** The detector's minimum takes precedence over the entity type's, which takes precedence over the default. */
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
