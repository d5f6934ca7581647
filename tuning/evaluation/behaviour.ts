import { detect } from '#core/detect/detect.ts';
import { bias } from '#core/detect/find/detectors/bias.ts';
import { biasDecisions } from '#core/detect/find/detectors/bias-decisions.ts';
import { asksForDanger } from '#core/detect/find/detectors/dangerous-requests.ts';
import type { Match } from '#core/detect/find/match.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { VIOLATION_GROUPS, type ViolationCode, type ViolationGroup } from '#schemas/vocabulary.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { seededRandom } from '../samples/random.ts';
import { BEHAVIOUR_TOPICS, type BehaviourCase, behaviourCases } from './sets/behaviour.ts';
import { BIAS_TOPICS } from './sets/bias.ts';
import { CONTENT_TOPICS, TRUST_TOPICS } from './sets/content.ts';

const SEED = 90_417;
const TIMES = 4;
const SURE = 0.5;

const share = (some: number, all: number): number => (all === 0 ? 0 : some / all);

const groupOf = (code: ViolationCode): ViolationGroup =>
  (Object.keys(VIOLATION_GROUPS) as ViolationGroup[]).find((group) =>
    (VIOLATION_GROUPS[group] as readonly ViolationCode[]).includes(code),
  )!;

const item = (rest: Omit<EvaluatedItem, 'first' | 'goal'> & Partial<EvaluatedItem>): EvaluatedItem => ({
  first: null,
  goal: null,
  ...rest,
});

const isFound = ({ code, texts }: BehaviourCase): boolean =>
  detect(texts).some((finding) => finding.code === code);

function scoreCode(code: ViolationCode, cases: readonly BehaviourCase[]): EvaluatedItem[] {
  const own = cases.filter((one) => one.code === code);
  const positive = own.filter(({ isContrast }) => !isContrast);
  const contrast = own.filter(({ isContrast }) => isContrast);
  const how = `own hand-written templates with fillings, seed ${SEED}, not used for tuning; any confidence`;
  return [
    item({
      item: `${code} on made-up texts`,
      figure: 'recall',
      value: share(positive.filter(isFound).length, positive.length),
      better: 'HIGHER',
      how: `${positive.length} texts; ${how}`,
    }),
    item({
      item: `${code} on contrasts to them`,
      figure: 'share flagged',
      value: share(contrast.filter(isFound).length, contrast.length),
      better: 'LOWER',
      how: `${contrast.length} texts; ${how}`,
    }),
  ];
}

interface Prompt {
  readonly text: string;
  readonly response?: string;
}

const exchange = ({ text, response }: Prompt): SourceText[] => [
  { source: 'prompt', text },
  ...(response === undefined ? [] : [{ source: 'response' as const, text: response }]),
];

/** Groups whose matches are phrases; the others are scored separately. */
const JUDGED: readonly ViolationGroup[] = [
  'BIAS',
  'AGENT_SAFETY',
  'HALLUCINATION',
  'CONTENT',
  'FINANCIAL',
  'LEGAL',
];
const judgedAlone: readonly ViolationCode[] = ['DANGEROUS_INSTRUCTIONS', 'GOAL_HIJACKING'];

function falsePositives(data: DataFolder): EvaluatedItem[] {
  const prompts = data.cases<Prompt>('benign/prompts.jsonl');
  const flagged = new Map<string, number>();
  for (const one of prompts) {
    const sure = detect(exchange(one)).filter(({ confidence }) => confidence >= SURE);
    const names = new Set(sure.map(({ code }) => (judgedAlone.includes(code) ? code : groupOf(code))));
    for (const name of names) flagged.set(name, (flagged.get(name) ?? 0) + 1);
  }
  return [...JUDGED, ...judgedAlone].map((name) =>
    item({
      item: `${name} on benign prompts and answers`,
      figure: 'share flagged',
      value: share(flagged.get(name) ?? 0, prompts.length),
      first: 0.02,
      goal: 0.005,
      better: 'LOWER',
      how: `benign/prompts, ${prompts.length} prompts, 2,015 of them (code) with answers; confidence >= ${SURE}; looked at while tuning`,
    }),
  );
}

interface Trace {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
}

function traceMatches({ messages }: Trace): Match[] {
  const lines = messages.map((message) => JSON.stringify(message));
  const whole = detect([{ source: 'response', text: lines.join('\n') }]);
  const single = messages.flatMap(({ role }, index) =>
    detect([{ source: role === 'assistant' ? 'response' : 'prompt', text: lines[index]! }]),
  );
  return [...whole, ...single];
}

function benignTraces(data: DataFolder): EvaluatedItem {
  const traces = data.cases<Trace>('agent/benign-traces.jsonl');
  const codes: readonly ViolationCode[] = [...VIOLATION_GROUPS.AGENT_SAFETY, 'GOAL_HIJACKING'];
  const flagged = traces.filter((trace) => traceMatches(trace).some(({ code }) => codes.includes(code)));
  return item({
    item: 'agent safety on ordinary traces',
    figure: 'share flagged',
    value: share(flagged.length, traces.length),
    first: 1 / 40,
    goal: 0,
    better: 'LOWER',
    how: `agent/benign-traces, ${traces.length} traces, whole and message by message; any confidence`,
  });
}

interface BiasPair {
  readonly biased: string;
  readonly less_biased: string;
}

function biasPairs(data: DataFolder): EvaluatedItem[] {
  const pairs = data.cases<BiasPair>('bias/pairs.jsonl').filter((_pair, index) => index % 2 === 1);
  const names = [bias.name, biasDecisions.name];
  const isFlagged = (text: string): boolean =>
    detect([{ source: 'response', text }]).some(({ detector }) => names.includes(detector));
  const how = `bias/pairs, every second one (${pairs.length}), the others looked at while tuning; any confidence. Pairs differ in the group named, not in what is said, so grammar flags both alike`;
  return [
    item({
      item: 'bias: biased sentences of pairs',
      figure: 'share flagged',
      value: share(pairs.filter((pair) => isFlagged(pair.biased)).length, pairs.length),
      better: 'HIGHER',
      how,
    }),
    item({
      item: 'bias: less biased sentences of pairs',
      figure: 'share flagged',
      value: share(pairs.filter((pair) => isFlagged(pair.less_biased)).length, pairs.length),
      better: 'LOWER',
      how,
    }),
  ];
}

function dangerousPrompts(data: DataFolder): EvaluatedItem {
  const prompts = data
    .cases<{ text: string }>('dangerous/prompts.jsonl')
    .filter((_one, index) => index % 2 === 1);
  return item({
    item: 'dangerous instructions by rules alone',
    figure: 'recall',
    value: share(prompts.filter(({ text }) => asksForDanger(text)).length, prompts.length),
    better: 'HIGHER',
    how: `dangerous/prompts, every second one (${prompts.length}), the others looked at while tuning; all categories, of which many are no instructions`,
  });
}

/** Matches and false positives of the rules for agents, answers and content. */
export const evaluateBehaviour: EvaluationPart = (data) => {
  const topics = [...BEHAVIOUR_TOPICS, ...CONTENT_TOPICS, ...TRUST_TOPICS, ...BIAS_TOPICS];
  const cases = behaviourCases(topics, seededRandom(SEED), TIMES);
  const codes = [...new Set(topics.map(({ code }) => code))];
  const own = codes.flatMap((code) => scoreCode(code, cases));
  if (data === null) return own;
  return [...own, ...falsePositives(data), benignTraces(data), ...biasPairs(data), dangerousPrompts(data)];
};
