import { oneOf, words } from '../phrase-rules.ts';
import { prefiltered } from '../prefilter/prefilter.ts';
import { ABLE, ADMITTED, ADVERBS, BAD, BARRED, CANNOT, IS, PLACE, WORK } from './bias-trait-words.ts';

const NOT_ABLE = `(?: (?:aren't|isn't|are not|is not|are hardly|are rarely|weren't) (?:really |naturally |very |simply |just |as |that )?(?:suited|cut out|fit|made|meant|built|capable|reliable|good|qualified|intelligent|smart|strong enough|trustworthy|competent|rational|leadership material|team players|a good fit|worth))`;

/** Belittling or excluding statements after a group's name; strong forms first. */
export const STATEMENTS: readonly (readonly [string, number])[] = [
  [
    `${IS} ${ADVERBS}(?:(?!never|hardly|rarely|seldom|called|seen|hurt|suspected|alleged|accused)[\\p{L}-]{4,13} )?${BAD}(?! (?:about|at (?:the|this|that|what|being) (?:news|decision|treated|government|ignored)|with (?:the|this)))`,
    0.72,
  ],
  [
    `${IS} ${ADVERBS}(?:bad|terrible|worse|awful|poor|hopeless|better|best|worst|good|superior|inferior|suited|unsuited|ill-suited|cut out|made|meant|fit|unfit|capable|gifted|talented|skilled|great) (?:at|in|for|with|to|of|as|than|suited|drivers|leaders|parents) (?:${words(3)})(?:${WORK}|\\p{L}{3,14}ing|men|women|whites|blacks|us|others|people|be|lead|work|handle|manage|care|jobs)`,
    0.66,
  ],
  [
    `${IS} ${ADVERBS}(?:bad|terrible|poor|awful|worse|worst|horrible|lousy) (?:drivers?|leaders?|managers?|employees?|workers?|parents?|mothers?|fathers?|students?|bosses|boss|pilots?|programmers?|engineers?|tippers?|investors?|tenants?|neighbou?rs?|cooks?|people)`,
    0.7,
  ],
  [` ${CANNOT} ${words(1)}${ABLE}`, 0.66],
  [
    `${IS} (?:simply |just |often |usually |generally )?(?:too|not) ${oneOf('old', 'emotional', 'weak', 'slow', 'sensitive', 'aggressive', 'frail', 'stupid', 'lazy', 'fragile', 'young', 'immature', 'soft', 'irrational', 'risky', 'expensive', 'different', 'distracted', 'hormonal', 'strong enough', 'smart enough', 'capable', 'cut out', 'suited', 'suitable', 'fit', 'qualified', 'meant', 'intelligent', 'as (?:smart|intelligent|capable|good|strong|rational|productive|skilled|competent|logical|civilized|trustworthy|talented|hard-?working)')}`,
    0.68,
  ],
  [
    `${IS} (?:simply |just |often |usually |generally |naturally |inherently |biologically |genetically )?(?:less|more) ${oneOf('intelligent', 'smart', 'capable', 'competent', 'productive', 'reliable', 'trustworthy', 'rational', 'logical', 'emotional', 'aggressive', 'violent', 'honest', 'hard-?working', 'qualified', 'suited', 'committed', 'ambitious', 'skilled', 'likely to (?:steal|commit|lie|cheat|quit|be criminals?|be violent|be lazy|fail|cause|get pregnant|default|be terrorists?)', 'prone to', 'civili[sz]ed', 'adaptable', 'creative', 'nurturing', 'submissive', 'inclined to', 'dangerous', 'criminal', 'deserving', 'valuable', 'important', 'evolved', 'disciplined', 'tech-?savvy')}`,
    0.66,
  ],
  [
    ` ${BARRED} (?:really |ever |even |also )?${ADMITTED}(?! (?:blamed|ashamed|judged|excluded|discriminated|forced|treated|denied|limited|punished|afraid))`,
    0.72,
  ],
  [NOT_ABLE, 0.66],
  [
    `${IS} (?:simply |just |often |usually |generally |naturally |inherently |biologically |genetically |much |far |so much )?(?:smarter|dumber|lazier|dirtier|better|worse|weaker|slower|stupider|cleverer|meaner|greedier|holier|purer|more (?:${words(1)})\\p{L}{4,14}|less \\p{L}{4,14}) than (?:${words(1)})(?:men|women|whites?|blacks?|asians|others|us|everyone|anyone|normal|\\p{L}{3,14} (?:men|women|people|candidates|workers|employees|ones)|muslims|christians|jews|males|females|boys|girls|younger|older)`,
    0.68,
  ],
  [
    ` (?:handle|deal with|manage|understand|think|lead|work|do|drive|perform|learn|cope with|negotiate|adapt|code|make decisions) (?:${words(3)})(?:better|worse|slower|less (?:well|effectively))(?= than|[.,;!]|$)`,
    0.55,
  ],
  [
    ` (?:just |simply )?(?:don't|do not) (?:get|understand|grasp|like|care for) (?:math|maths|science|technology|computers|logic|sports|cars|money|politics|jokes|humou?r|business|engineering)`,
    0.6,
  ],
  [
    ` (?:would|will|do|does)(?:n't| not| never) (?:really |ever )?(?:fit|belong|last|keep up|understand|adapt|be able|cope|be (?:productive|reliable|loyal|committed))`,
    0.6,
  ],
  [
    ` (?:would |will |just |often |always |usually |tend to ){0,2}(?:slow|drag|hold) (?:everyone|us|the \\p{L}{3,10}|things|others) (?:down|back)`,
    0.66,
  ],
  [
    ` (?:usually |always |often |tend to |generally )?(?:write|make|produce|do|raise|deliver) (?:bad|terrible|poor|sloppy|awful|low-quality|shoddy|inferior|worse) \\p{L}{3,14}`,
    0.64,
  ],
  [
    ` (?:often |usually |generally |simply |just |always )?lack (?:the )?(?!access|opportunit|representation|support|resources|rights|legal|basic|adequate|funding|education|health|protection)\\p{L}{4,14}`,
    0.6,
  ],
  [` ${PLACE}`, 0.62],
];

/** Text before a group that excludes its members ("never hire older women"). */
export const shutsOut = prefiltered(
  /\b(?:(?:never|don't|do not|avoid|stop|shouldn't|should not|wouldn't|would not|won't|will not|refuse to|refused to|not going to|rather not|can't|cannot)\s(?:ever\s|be\s)?(?:hir(?:e|ing)|trust(?:ing)?|promot(?:e|ing)|employ(?:ing)?|rent(?:ing)?\s(?:to|out\sto)|lend(?:ing)?\s(?:money\s)?to|marry(?:ing)?|interview(?:ing)?|serv(?:e|ing)|admit(?:ting)?|accept(?:ing)?|recruit(?:ing)?|work(?:ing)?\s(?:with|for)|select(?:ing)?|consider(?:ing)?)|(?:reject|exclude|filter\sout|screen\sout|weed\sout|turn\saway|rule\sout|discard|ban|deny|rank\sdown|downgrade|penali[sz]e|charge)(?:s|d|ed|ing)?)\s(?:any\s|all\s|an?\s|more\s|most\s|those\s|the\s|(?:loans?|credit|jobs|housing|insurance|applications?|résumés?|resumes?|candidates?|applicants?|mortgages?)\s(?:to|from|for)\s|applicants\swho\sare\s|candidates\swho\sare\s){0,3}$/iu,
);
