import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { exactNumber, percent } from '../format/numbers.ts';
import { withLabels } from './explanation.ts';
import { inSentence, label, violationPhrase } from './label.ts';

type Described = Pick<ShownPattern, 'type' | 'key' | 'description' | 'count' | 'observed' | 'baseline'> &
  Pick<ShownPattern, 'windowStart' | 'windowEnd'>;

/** Parses a key such as `sandbox:<id>/violation:SSN`. */
function partsOf(key: string): {
  readonly source: string;
  readonly name: string;
  readonly violation: string | null;
} {
  const [, before = '', violation = null] = /^(?:(.+)\/)?violation:(.+)$/.exec(key) ?? [null, key, null];
  const colon = before.indexOf(':');
  return { source: before.slice(0, Math.max(colon, 0)), name: before.slice(colon + 1), violation };
}

/** The name of a sandbox, model or provider in the service’s sentence; keys hold ids of sandboxes. */
const SOURCE = /in sandbox ([^\s:]+):/;

const signalsOf = (count: number, what: string): string =>
  `${exactNumber(count)} ${count === 1 ? 'signal' : 'signals'} with ${what}`;

const usual = (value: number): string => {
  if (value > 0 && value < 0.1) return 'fewer than 0.1';
  return exactNumber(Math.round(value * 10) / 10);
};

const HOUR_MS = 3_600_000;

function lengthOf({ windowStart, windowEnd }: Described): string {
  const hours = (new Date(windowEnd).getTime() - new Date(windowStart).getTime()) / HOUR_MS;
  if (hours === 1) return 'an hour';
  if (hours === 24) return 'a day';
  return hours < 1 ? `${Math.round(hours * 60)} minutes` : `${Math.round(hours)} hours`;
}

function spike(pattern: Described): string {
  const { source, name, violation } = partsOf(pattern.key);
  const what =
    violation === null
      ? `${source === 'risk' ? inSentence(label('riskLevel', name)) : name} risk`
      : violationPhrase(violation);
  return `${signalsOf(pattern.count, what)} in ${lengthOf(pattern)}; normally ${usual(pattern.baseline)} at this time.`;
}

function recurring({ key, description, count, baseline }: Described): string | null {
  const { source, name, violation } = partsOf(key);
  const hours = /signals in (\d+) hours/.exec(description)?.[1];
  if (violation === null || hours === undefined) return null;
  const sources: Readonly<Record<string, string>> = {
    sandbox: `in ${SOURCE.exec(description)?.[1] ?? 'one sandbox'}`,
    model: `from model ${name.slice(name.indexOf('/') + 1)}`,
    provider: `from provider ${name}`,
    shape: 'from similar prompts',
  };
  const from = Object.hasOwn(sources, source) ? ` ${sources[source]}` : '';
  return `Recurring ${inSentence(label('violation', violation))}${from}: ${exactNumber(count)} over ${hours} hours; normally ${usual(baseline)} a day.`;
}

function acrossSandboxes(pattern: Described): string | null {
  const { violation } = partsOf(pattern.key);
  const sandboxes = /in (\d+) sandboxes/.exec(pattern.description)?.[1];
  if (violation === null || sandboxes === undefined) return null;
  return `${label('violation', violation)} spiked in ${sandboxes} sandboxes within ${lengthOf(pattern)}: ${exactNumber(pattern.count)} signals; normally ${usual(pattern.baseline)}.`;
}

function regression({ key, observed, baseline }: Described): string | null {
  const { source, name } = partsOf(key);
  if (source !== 'model' && source !== 'provider') return null;
  const shown = source === 'model' ? name.slice(name.indexOf('/') + 1) : name;
  return `New ${source} ${shown}: ${percent(observed)} of its signals are High or Critical; ${percent(baseline)} is normal in the same sandboxes.`;
}

function escalation({ description, observed, baseline }: Described): string {
  const sandbox = SOURCE.exec(description)?.[1] ?? 'one sandbox';
  return `Risk is rising in ${sandbox}: High and Critical signals went from ${percent(baseline)} to ${percent(observed)} in two weeks.`;
}

function campaign({ count, description }: Described): string {
  const among = /out of (\d+) compared/.exec(description)?.[1];
  const all = among === undefined ? '' : `, out of ${exactNumber(Number(among))} compared`;
  return `${exactNumber(count)} near-identical attack prompts in a day${all}.`;
}

const TEXTS: Readonly<Record<ShownPattern['type'], (pattern: Described) => string | null>> = {
  BURST: spike,
  RECURRING: recurring,
  CROSS_SANDBOX: acrossSandboxes,
  MODEL_REGRESSION: regression,
  ESCALATION: escalation,
  CAMPAIGN: campaign,
};

/** A pattern's description, from its fields; if they do not suffice, the service’s own sentence. */
export const patternText = (pattern: Described): string =>
  (Object.hasOwn(TEXTS, pattern.type) ? TEXTS[pattern.type](pattern) : null) ??
  withLabels(pattern.description);

/** What the signals of a pattern have in common, such as `Sandbox customer-support · Card number`. */
export function groupText({ key, description }: Pick<ShownPattern, 'key' | 'description'>): string {
  const { source, name, violation } = partsOf(key);
  const sources: Readonly<Record<string, string>> = {
    risk: `${label('riskLevel', name)} risk`,
    sandbox: `Sandbox ${SOURCE.exec(description)?.[1] ?? name}`,
    model: `Model ${name}`,
    provider: `Provider ${name}`,
    shape: 'Similar prompts',
  };
  const shown = Object.hasOwn(sources, source) ? sources[source] : key;
  const parts = [source === '' && violation !== null ? undefined : shown];
  if (violation !== null) parts.push(label('violation', violation));
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** A score of 0.5 barely counts as a pattern; at 1 chance is ruled out. */
export function confidenceText(score: number): string {
  if (score >= 0.9) return 'very high';
  return score >= 0.75 ? 'high' : 'moderate';
}
