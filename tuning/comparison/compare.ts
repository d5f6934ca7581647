import { isDeepStrictEqual } from 'node:util';
import { detectAll } from '#core/detect/detect.ts';
import { compileRules } from '#core/detect/find/custom-rules.ts';
import { assess } from '#core/detect/judge/assess.ts';
import { explain } from '#core/detect/report/explain.ts';
import { seededRandom } from '../samples/random.ts';
import { auditsOf, randomAudit } from './mixtures.ts';
import { type ComparedAudit, openRelease, POLICY, type Release, type Verdict } from './releases.ts';
import { comparedTexts, exampleAudits, ordinaryTexts } from './texts.ts';
import { kindsOf, timings } from './timing.ts';

/**
 * Compares the matches and the cost of this release with those of another one:
 *
 *   npm run -w tuning compare:detect -- OLD_DIST [mixtures]
 *
 * OLD_DIST: `dist` of the other release, built in a copy of the project. Compares the findings, assessment and
 * explanation of every text of the project, of DETECT_DATA if it is set, and of random mixtures of them.
 */
const [dist, mixtures = '5000'] = process.argv.slice(2);
const SEED = 16;
const LIST = 64;
const SHOWN = 10;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const rulesOf = new Map<readonly string[], ReturnType<typeof compileRules>>();
function compiled(customRules: readonly string[]): ReturnType<typeof compileRules> {
  const rules = rulesOf.get(customRules) ?? compileRules(customRules);
  rulesOf.set(customRules, rules);
  return rules;
}

/** This release's verdicts on a whole list. */
function verdictsOf(audits: readonly ComparedAudit[]): Verdict[] {
  const found = detectAll(audits.map(({ texts, customRules }) => ({ texts, rules: compiled(customRules) })));
  return audits.map(({ texts }, at) => {
    const matches = found[at]!;
    const assessment = assess(matches, POLICY);
    return { findings: matches, assessment, explanation: explain(texts, matches, assessment) };
  });
}

interface Outcome {
  audits: number;
  findings: number;
  differences: number;
}

function compareList(old: Release, audits: readonly ComparedAudit[], outcome: Outcome): void {
  for (const [at, now] of verdictsOf(audits).entries()) {
    const audit = audits[at]!;
    const before = old.judge(audit, old.detect(audit));
    outcome.audits++;
    outcome.findings += before.findings.length;
    if (isDeepStrictEqual(before, now)) continue;
    if (outcome.differences++ < SHOWN) print(JSON.stringify({ audit, before, now }));
  }
}

if (dist === undefined) throw new Error('name the folder `dist` of the release to compare with');
const old = await openRelease(dist);
const texts = comparedTexts(process.env.DETECT_DATA);
const random = seededRandom(SEED);
const outcome: Outcome = { audits: 0, findings: 0, differences: 0 };
for (let at = 0; at < texts.length; at += LIST) {
  const some = texts.slice(at, at + LIST).flatMap((text) => auditsOf(text, random.pick(texts)));
  compareList(old, some, outcome);
}
for (let made = 0; made < Number(mixtures); made += LIST) {
  const some = Array.from({ length: LIST }, () => randomAudit(random, texts));
  compareList(old, some, outcome);
}
print(`${outcome.audits} audits, ${outcome.findings} findings, ${outcome.differences} differences`);

for (const { name, oldUs, newUs, ratio, quartiles } of timings(
  old,
  kindsOf(random, ordinaryTexts(), exampleAudits()),
)) {
  const [low, high] = quartiles.map((quartile) => quartile.toFixed(2));
  print(
    `${name}: ${oldUs.toFixed(0)} -> ${newUs.toFixed(0)} us an audit, ratio ${ratio.toFixed(2)} (${low} to ${high})`,
  );
}
process.exitCode = outcome.differences === 0 ? 0 : 1;
