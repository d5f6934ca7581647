import { commandInjection } from '#core/detect/find/detectors/command-injection.ts';
import { csrf } from '#core/detect/find/detectors/csrf.ts';
import { interpreterInjection } from '#core/detect/find/detectors/interpreter-injection.ts';
import { markupFragment } from '#core/detect/find/detectors/markup-fragment.ts';
import { requestFields } from '#core/detect/find/detectors/request-fields.ts';
import { sqlFragment } from '#core/detect/find/detectors/sql-fragment.ts';
import { sqlInjection } from '#core/detect/find/detectors/sql-injection.ts';
import { ssrf } from '#core/detect/find/detectors/ssrf.ts';
import { xss } from '#core/detect/find/detectors/xss.ts';
import type { DataFolder } from '../samples/data-folder.ts';
import type { EvaluatedItem, EvaluationPart } from '../samples/items.ts';
import { seededRandom } from '../samples/random.ts';
import { requestAttacks } from './by-source/request-attacks.ts';
import { createLocalFinder } from './local-finds.ts';
import { ATTACK_PAYLOADS, ORDINARY } from './sets/blind/blind.ts';
import { CODE_QUESTIONS } from './sets/code-questions.ts';
import {
  CONTEXT_COUNT,
  commandInjections,
  crossSiteRequests,
  inSomeContext,
  interpreterInjections,
  requestForgeries,
} from './sets/web-attacks.ts';

interface Prompt {
  readonly text: string;
  readonly family: string;
  readonly response?: string;
}
interface Payload {
  readonly text: string;
}

const findAll = createLocalFinder([
  xss,
  sqlInjection,
  sqlFragment,
  commandInjection,
  interpreterInjection,
  ssrf,
  csrf,
  requestFields,
  markupFragment,
]);
/** Below this confidence a match is a hint and raises no risk. */
const FOUND = 0.5;
const codesOf = (text: string): ReadonlySet<string> =>
  new Set(findAll(text).flatMap(({ code, confidence }) => (confidence >= FOUND ? [code] : [])));

/** Selects the third of each file that was never used while the rules were written. */
const HOLD_OUT_SEED = 41;
function split(data: DataFolder, file: string): { readonly seen: string[]; readonly heldOut: string[] } {
  const random = seededRandom(HOLD_OUT_SEED);
  const parts = { seen: [] as string[], heldOut: [] as string[] };
  for (const { text } of data.cases<Payload>(file))
    parts[random.next() < 1 / 3 ? 'heldOut' : 'seen'].push(text);
  return parts;
}

function recall(
  item: string,
  texts: readonly string[],
  codes: readonly string[],
  how: string,
  isTarget = true,
): EvaluatedItem {
  const hits = texts.filter((text) => codes.some((code) => codesOf(text).has(code))).length;
  return {
    item,
    figure: 'recall',
    value: texts.length === 0 ? 1 : hits / texts.length,
    first: isTarget ? 0.95 : null,
    goal: isTarget ? 0.99 : null,
    better: 'HIGHER',
    how: `${how}, ${texts.length} texts`,
  };
}

function flagged(item: string, documents: readonly (readonly string[])[], how: string): EvaluatedItem {
  const hits = documents.filter((texts) => texts.some((text) => codesOf(text).size > 0)).length;
  return {
    item,
    figure: 'share flagged',
    value: documents.length === 0 ? 0 : hits / documents.length,
    first: 0.05,
    goal: 0.01,
    better: 'LOWER',
    how: `${how}, ${documents.length} documents, any of the four codes`,
  };
}

/** Every payload in contexts of prompts, JSON, tables and requests in turn, but not alone. */
const inContexts = (payloads: readonly string[]): string[] =>
  payloads.map((payload, index) => inSomeContext(payload, 1 + (index % (CONTEXT_COUNT - 1))));

function onData(data: DataFolder): EvaluatedItem[] {
  const markup = split(data, 'web/xss.jsonl');
  const sql = split(data, 'web/sqli.jsonl');
  const code = data.cases<Prompt>('benign/prompts.jsonl').filter(({ family }) => family === 'code');
  return [
    recall(
      'XSS, held out',
      markup.heldOut,
      ['XSS'],
      'a third of web/xss, never inspected, but from the same lists as the rest',
    ),
    recall('XSS, tuned on', markup.seen, ['XSS'], 'the rest of web/xss', false),
    recall(
      'XSS in prompts, JSON and requests',
      inContexts(markup.heldOut),
      ['XSS'],
      'the third held out, embedded',
    ),
    recall(
      'SQL injection, held out',
      sql.heldOut,
      ['CODE_INJECTION'],
      'a third of web/sqli, never inspected, but from the same list as the rest',
    ),
    recall('SQL injection, tuned on', sql.seen, ['CODE_INJECTION'], 'the rest of web/sqli', false),
    recall(
      'SQL injection in prompts, JSON and requests',
      inContexts(sql.heldOut),
      ['CODE_INJECTION'],
      'the third held out, embedded',
      false,
    ),
    flagged(
      'web attacks, code questions',
      code.map(({ text, response = '' }) => [text, response]),
      'benign/prompts, family code, prompt and response; its false matches were inspected',
    ),
    ...requestAttacks(data, findAll),
  ];
}

const SEED = 77_031;

/** Web attacks: recall on given and made-up payloads, alone and embedded, and how often code is flagged. */
export const webAttacksEvaluation: EvaluationPart = (data) => [
  recall(
    'command injection',
    commandInjections(SEED, 600),
    ['CODE_INJECTION'],
    'made up by the author of the rules, other seed than while writing, alone and embedded',
  ),
  recall(
    'injection into templates, parsers, paths',
    interpreterInjections(SEED, 200),
    ['CODE_INJECTION'],
    'made up by the author of the rules',
    false,
  ),
  recall(
    'attacks in code, own blind set',
    ATTACK_PAYLOADS,
    ['XSS', 'CODE_INJECTION', 'SSRF'],
    'written by hand without knowledge of the rules, half of them embedded',
    false,
  ),
  flagged(
    'attacks in code, own blind set of ordinary questions',
    ORDINARY.map((text) => [text]),
    'written by hand without knowledge of the rules',
  ),
  recall('SSRF', requestForgeries(SEED, 160), ['SSRF'], 'made up by the author of the rules', false),
  recall('CSRF', crossSiteRequests(SEED, 40), ['CSRF'], 'made up by the author of the rules', false),
  flagged(
    'web attacks, own code questions',
    CODE_QUESTIONS.map((text) => [text]),
    'written for this, its false matches were fixed',
  ),
  ...(data === null ? [] : onData(data)),
];
