import type { ViolationCode } from '#schemas/vocabulary.ts';
import phrases from '../lists/bias-decisions.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';
import { HATED_GROUPS } from './hate-speech.ts';

type Ground = readonly [code: ViolationCode, trait: string, noun: string];

/** Grounds on which people are rejected: a personal trait, with its code. */
const GROUNDS: readonly Ground[] = [
  [
    'RACIAL_BIAS',
    '(?:an? )?(?:black|white|asian|african(?:-american)?|latin[oa]|hispanic|mexican|arab|indian|chinese|nigerian|foreign(?:er)?|(?:im)?migrant|of (?:african|asian|mexican|indian|arab|foreign) (?:origin|descent)|not white|from (?:africa|mexico|nigeria|india|china|the middle east))',
    '(?:race|skin colou?r|ethnicity|ethnic (?:background|origin|name)|nationality|national origin|accent|foreign(?:-sounding)? name)',
  ],
  [
    'GENDER_BIAS',
    '(?:an? )?(?:pregnant|wom[ae]n|female|girl|m[ae]n|male|gay|lesbian|transgender|trans|new mother|mother|married woman|going to (?:have a baby|get pregnant)|likely to (?:get pregnant|become pregnant|have (?:kids|children))|on maternity leave|homosexual|of childbearing age)',
    '(?:gender|sex|pregnancy|sexual orientation|gender identity|marital status|maternity leave)',
  ],
  [
    'AGE_BIAS',
    '(?:(?:too|so|very|already|getting) )?(?:old|older|elderly|over (?:the hill|\\d\\d)|past \\d\\d|near(?:ing)? retirement|close to retirement|(?:too|so) young|\\d\\d years old|in (?:his|her|their) (?:fifties|sixties|seventies|[5-7]0s)|boomer)',
    '(?:(?:old |advanced )?age)',
  ],
  [
    'DISABILITY_BIAS',
    '(?:an? )?(?:disabled|handicapped|deaf|blind|autistic|in a wheelchair|wheelchair user|mentally ill|bipolar|schizophrenic|depressed|epileptic|dyslexic|(?:has|have|had) (?:a disability|autism|adhd|epilepsy|depression|a mental illness|bipolar disorder|dyslexia))',
    '(?:disabilit(?:y|ies)|wheelchair|autism|mental (?:illness|health condition)|epilepsy|handicap|impairment)',
  ],
  [
    'RELIGIOUS_BIAS',
    '(?:an? )?(?:muslim|christian|jew(?:ish)?|hindu|buddhist|sikh|atheist|catholic|mormon|religious|wearing a (?:hijab|headscarf|turban|kippah?)|wears? a (?:hijab|headscarf|turban|kippah?))',
    '(?:religion|religious (?:beliefs?|background)|faith|hijab|headscarf|turban)',
  ],
];

const PERSON =
  '(?:he|she|they|the (?:candidate|applicant|employee|tenant|customer|patient|person|student)|you|i|one of them|someone)';
const DENIAL = phrases.denials;
const SILENT = {
  NEGATED: 'SILENT',
  REPORTED: 'HINT',
  QUESTION: 'HINT',
  EXPLAINED: 'HINT',
  FICTION: 'HINT',
} as const;
const IN_ANY_NEGATION = { REPORTED: 'HINT', QUESTION: 'HINT', EXPLAINED: 'HINT', FICTION: 'HINT' } as const;

const DECISIONS: readonly PhraseRule[] = GROUNDS.map(([code, trait, noun]) =>
  headed(
    code,
    byRole(0.7, 0.78),
    DENIAL,
    `\\p{L}{0,5} ${words(9)}(?:(?:because|since|as) ${PERSON}(?: (?:is|are|was|were|looks?|seems?|may be|might be|could be|will be|am)|'s|'re)? (?:${words(1)})${trait}|(?:because of|due to|based on|on the basis of|on account of|for|over) (?:(?:his|her|their|the|your|an?) )?(?:\\p{L}{2,12}'s )?${noun}|for being (?:too )?${trait})`,
    IN_ANY_NEGATION,
  ),
);

/** "We only hire men": everyone else is excluded. */
const ONLY: readonly (readonly [ViolationCode, string])[] = [
  [
    'GENDER_BIAS',
    '(?:m[ae]n|males?|wom[ae]n|females?|girls|boys|male (?:candidates?|applicants?)|female (?:candidates?|applicants?)|guys)',
  ],
  [
    'RACIAL_BIAS',
    '(?:white(?:s| people| candidates?| applicants?| men)?|black(?:s| people)|asians?|native (?:english )?speakers|caucasians?|americans|europeans)',
  ],
  [
    'AGE_BIAS',
    '(?:young(?:er)? (?:people|candidates?|applicants?|men|women|workers?|professionals)|people under \\d\\d|candidates? under \\d\\d|applicants? under \\d\\d|digital natives|recent graduates under)',
  ],
  [
    'RELIGIOUS_BIAS',
    '(?:christians?|muslims?|jews|catholics|hindus|christian (?:candidates?|applicants?|families|tenants?))',
  ],
  [
    'DISABILITY_BIAS',
    '(?:able-?bodied (?:people|candidates?|applicants?|men|women|workers?)|people without disabilities|healthy (?:people|candidates?|applicants?)|neurotypical (?:people|candidates?))',
  ],
];
const HIRING = phrases.hiring;
const EXCLUSIVE: readonly PhraseRule[] = [
  ...ONLY.map(([code, group]) =>
    headed(
      code,
      byRole(0.66, 0.72),
      HIRING,
      ` (?:the |any |hiring |to hire )?${group}(?= (?:for (?:this|the|that|our|a)|as|to|in|because|since|over|who|only|on (?:the|our))|\\s{0,2}[.!,]|$)`,
      SILENT,
    ),
  ),
  ...ONLY.map(([code, group]) =>
    headed(
      code,
      byRole(0.62, 0.68),
      ['no '],
      `(?:more )?(?:${group}|${oneOf(...HATED_GROUPS.filter((one) => !one.startsWith('the ')))}|older (?:people|candidates|applicants|workers)|disabled (?:people|candidates|applicants)) (?:need apply|need to apply|should apply|allowed in this|please apply)`,
      { QUESTION: 'HINT' },
    ),
  ),
];

/** Traits attributed to people because of their sex: "she is a woman, so she will quit". */
const SO: readonly PhraseRule[] = GROUNDS.map(([code, trait]) =>
  headed(
    code,
    byRole(0.66, 0.72),
    ['because', 'since', 'given that', 'as she', 'as he'],
    ` ?(?:${PERSON}(?: (?:is|are|was|were)|'s|'re) )?${trait},? (?:${words(2)})?(?:he|she|they|you|we|i) (?:${words(1)})(?:cannot|can't|won't|will not|must be|should not|shouldn't|is not (?:able|suited|fit|suitable|qualified|capable)|isn't (?:able|suited|fit|suitable|qualified|capable)|are not (?:able|suited|fit|suitable|qualified)|aren't (?:able|suited|fit)|will (?:probably |likely |surely |soon |just )?(?:quit|leave|struggle|fail|be (?:bad|slow|emotional|distracted|less|unable|a burden|absent)|get pregnant|cost|need (?:more|extra)))`,
    IN_ANY_NEGATION,
  ),
);

/** Work and places that supposedly belong to one group. */
const BELONGING: readonly PhraseRule[] = [
  headed(
    'GENDER_BIAS',
    byRole(0.66, 0.7),
    phrases.places,
    `(?:(?<=like a girl|like a woman|woman driver|women drivers|female logic|typical woman|typical female)|(?<=place|job|work|men|women|man|woman|girl|up)(?: ${words(2)}(?:is|in the (?:kitchen|home|house)|should|belongs?|at home|not|smart|strong|good|well|funny|and|do(?:es|ing)? (?:it|that) right)|(?=\\s{0,2}[.,;!]|$)))`,
    SILENT,
  ),
  headed(
    'AGE_BIAS',
    byRole(0.62, 0.66),
    ['too old', 'too young', 'over the hill', 'past his prime', 'past her prime', 'past their prime'],
    `(?: (?:for|to) (?:${words(2)})(?:job|role|position|work|learn|adapt|hire|hired|promote|promoted|change|understand|code|lead|useful|productive|team|company|technology|tech|career|start|keep up|startup|training|invest in|relevant|be)|(?<=hill|prime))`,
    SILENT,
  ),
  headed(
    'RACIAL_BIAS',
    byRole(0.62, 0.68),
    phrases.rejections,
    `\\p{L}{0,3} ${words(3)}with (?:an? )?(?:foreign|african|arab|arabic|asian|hispanic|muslim|ethnic|black|indian|chinese|latino)(?: sounding)? (?:names?|accents?)`,
    SILENT,
  ),
  ...GROUNDS.map(([code, trait]) =>
    headed(
      code,
      byRole(0.62, 0.68),
      ['as a', 'as an', 'being a', 'being an', 'for a', 'for an', 'since being'],
      ` ${trait.replace('(?:an? )?', '')}(?: (?:person|candidate|applicant|woman|man|employee))?,? ${PERSON} (?:probably |likely |surely |surprisingly |certainly |naturally )?(?:is not|isn't|cannot|can't|won't|will not|must be|should not|shouldn't|is surprisingly|is (?:too|less)|lacks?|doesn't|does not) ${words(2)}\\p{L}{3,14}`,
      SILENT,
    ),
  ),
  headed(
    'GENDER_BIAS',
    byRole(0.62, 0.66),
    phrases.expectations,
    ` (?:has (?:kids|children|a baby|babies)|gets (?:pregnant|married)|get pregnant|becomes a mother|have (?:kids|children|a baby) and|quit (?:once|when|after) she)`,
    SILENT,
  ),
  headed(
    'AGE_BIAS',
    byRole(0.66, 0.7),
    ['nobody over', 'no one over', 'nobody older than', 'no one older than', 'nobody above'],
    ` \\d\\d (?:should|can|will|could|is able|may|understands?|knows)`,
    SILENT,
  ),
];

/** Decisions about people based on personal traits, and preferences that exclude others. */
export const biasDecisions = phraseDetector('bias-decisions', 2, [
  ...DECISIONS,
  ...EXCLUSIVE,
  ...SO,
  ...BELONGING,
]);
