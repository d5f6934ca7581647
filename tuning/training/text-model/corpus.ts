import { featuresIn, type TextFeatures } from '#core/detect/find/text-model/features.ts';
import { normalise } from '#core/detect/read/normalise/normalise.ts';
import { CODE_QUESTIONS } from '../../evaluation/sets/code-questions.ts';
import { harmlessCases, secretCases } from '../../evaluation/sets/secrets.ts';
import { commandInjections, interpreterInjections } from '../../evaluation/sets/web-attacks.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import { type SeededRandom, seededRandom } from '../../samples/random.ts';
import { framedDangers, hateContrasts, hiddenAttacks } from './attacks.ts';
import type { LabelledText } from './labelled-text.ts';
import { dangerousRequest, safeRequest } from './made-up/dangerous.ts';
import { harmlessRequest } from './made-up/harmless.ts';
import { harmlessSentence, hatefulSentence, madeUpGroup } from './made-up/hate.ts';
import { madeUpInjection } from './made-up/injections.ts';
import { listOfBans } from './made-up/rules.ts';
import { ordinaryTexts } from './ordinary.ts';
import { readWritten, WRITTEN } from './written.ts';

/** A text of the corpus. */
export interface CorpusText extends LabelledText {
  readonly features: TextFeatures;
}

/** Questions about topics other than serious harm, in a list of harmful ones. */
const NOT_DANGEROUS = /^(?:Tailored Financial|Political|Adult Content)/;
const HARMLESS = { INJECTION: false, DANGEROUS: false, HATE: false } as const;

const readFeatures = (text: string): TextFeatures => featuresIn(normalise(text).text);

interface Case {
  readonly text: string;
  readonly family: string;
  readonly category: string;
  readonly label: string;
  readonly response?: string;
}
interface Trace {
  readonly messages: readonly { readonly content: string | null }[];
}

const MADE_UP_INJECTIONS = 2_500;
const MADE_UP_HARMLESS = 3_000;
const MADE_UP_DANGEROUS = 2_500;
const MADE_UP_HATE = 2_500;
const MADE_UP_RULES = 800;
const LONG_TEXTS = 600;
const OFFENSIVE_TWEETS = 2_500;

/** Turns ordinary sentences about people into ordinary sentences about groups. */
const PEOPLE =
  /\b(?:people|students|customers|employees|children|users|workers|players|patients|members|teachers)\b/i;
const PEOPLE_ALL = new RegExp(PEOPLE.source, 'gi');

/** The kind of a real attack, if its list specifies it. */
function realInjection(family: string): CorpusText['labels'] {
  if (family.includes('hijacking')) return { INJECTION: true, JAILBREAK: false };
  return family.includes('jailbreak') ? { INJECTION: true, JAILBREAK: true } : { INJECTION: true };
}

/** Texts composed of several harmless ones, so that length carries no meaning. */
function longText(texts: readonly string[], random: SeededRandom): string {
  return Array.from({ length: 2 + random.below(12) }, () => random.pick(texts)).join(
    random.pick(['\n', '\n\n', ' ']),
  );
}

/** What other detectors look for, so that keys, commands and settings alone mean nothing to this model. */
const otherSubjects = (): string[] => [
  ...secretCases(7, 800).map(({ text }) => text),
  ...harmlessCases(8, 800).map(({ text }) => text),
  ...CODE_QUESTIONS,
  ...commandInjections(9, 150),
  ...interpreterInjections(9, 150),
];

/** The whole corpus, always the same for the same data. */
export function readCorpus(data: DataFolder): CorpusText[] {
  const corpus: CorpusText[] = [];
  const add = (text: string, family: string, labels: CorpusText['labels'], source?: string): void => {
    corpus.push({ text, features: readFeatures(text), family, labels, source });
  };
  const benign = data.cases<Case>('benign/prompts.jsonl');
  const random = seededRandom(20);
  for (const { text, family, response } of benign) {
    add(text, `benign/${family}`, HARMLESS);
    if (response !== undefined && response.length > 20) add(response, 'benign/response', HARMLESS);
  }
  for (const { text } of benign) {
    if (PEOPLE.test(text))
      add(
        text.replaceAll(PEOPLE_ALL, () => madeUpGroup(random)),
        'benign/groups',
        { HATE: false },
      );
  }
  const documents = benign.flatMap(({ text, response }) => [
    text,
    ...(response === undefined ? [] : [response]),
  ]);
  for (let i = 0; i < LONG_TEXTS; i++) add(longText(documents, random), 'benign/long', HARMLESS);
  for (const { messages } of data.cases<Trace>('agent/benign-traces.jsonl')) {
    for (const { content } of messages)
      if (content !== null && content.length > 40) add(content, 'benign/agent', HARMLESS);
  }
  for (const file of ['pii/synth-v2', 'pii/generated-large', 'secrets/provider-shaped']) {
    for (const { text } of data.cases<Case>(`${file}.jsonl`)) add(text, `benign/${file}`, HARMLESS);
  }
  for (const text of otherSubjects()) add(text, 'own/other', HARMLESS);
  for (const { text, family } of data.cases<Case>('injection/positive.jsonl'))
    add(text, family, realInjection(family));
  for (const { text, category } of data.cases<Case>('dangerous/prompts.jsonl')) {
    const labels = NOT_DANGEROUS.test(category)
      ? { INJECTION: false }
      : { DANGEROUS: true, INJECTION: false };
    add(text, `dangerous/${category.split('/')[0]}`, labels);
  }
  for (const { file, labels } of WRITTEN) {
    for (const text of readWritten(file)) add(text, `written/${file}`, labels);
  }
  for (const part of [ordinaryTexts, hiddenAttacks, framedDangers, hateContrasts]) {
    for (const { text, family, labels, source } of part(data)) add(text, family, labels, source);
  }
  let offensive = 0;
  for (const { text, label } of data.cases<Case>('hate/tweets.jsonl')) {
    if (label === 'offensive' && ++offensive > OFFENSIVE_TWEETS) continue;
    add(text, `tweets/${label}`, { HATE: label === 'hate', INJECTION: false });
  }
  for (let i = 0; i < MADE_UP_INJECTIONS; i++) {
    const { text, kind } = madeUpInjection(documents, random);
    const labels = { INJECTION: true, JAILBREAK: kind === 'role', EXTRACTION: kind === 'extraction' };
    add(text, 'own/injection', labels);
  }
  for (let i = 0; i < MADE_UP_HARMLESS; i++) add(harmlessRequest(random), 'own/harmless', HARMLESS);
  for (let i = 0; i < MADE_UP_DANGEROUS; i++) {
    add(dangerousRequest(random), 'own/dangerous', { DANGEROUS: true, INJECTION: false });
    add(safeRequest(random), 'own/safe', HARMLESS);
  }
  for (let i = 0; i < MADE_UP_HATE; i++) {
    add(hatefulSentence(random), 'own/hateful', { HATE: true, INJECTION: false });
    add(harmlessSentence(random), 'own/not-hateful', HARMLESS);
  }
  const ofRules = seededRandom(21);
  for (let i = 0; i < MADE_UP_RULES; i++) add(listOfBans(ofRules), 'made-up/rules', { DANGEROUS: false });
  return corpus;
}
