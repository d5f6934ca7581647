import { incitement } from '../incitement.ts';
import phrases from '../lists/self-harm.json' with { type: 'json' };
import {
  after,
  byRole,
  headed,
  oneOf,
  type PhraseRule,
  phrase,
  phraseDetector,
  words,
} from '../phrase-rules.ts';

const CODE = 'SELF_HARM_FACILITATION';
const ACT = oneOf(...phrases.deeds);
/** Words of help, not harm. */
const HELP = {
  NEGATED: 'SILENT',
  EXPLAINED: 'SILENT',
  REPORTED_CLOSE: 'SILENT',
  FICTION_CLOSE: 'HINT',
} as const;
const NO_HELP_AFTER =
  '(?! (?:squad|hotline|helpline|prevention|awareness|rates?|statistics|note|attempts?|watch|bomb\\p{L}{0,3}|vest|risk|ideation|hedge|thoughts?|survivors?|door|burn))';

const WAYS = oneOf(...phrases.ways);

const RULES: readonly PhraseRule[] = [
  after(WAYS, {
    code: CODE,
    triggers: phrases.verbs,
    phrase: phrase(`${ACT}${NO_HELP_AFTER}`),
    confidence: byRole(0.82, 0.72),
    contexts: HELP,
  }),
  headed(
    CODE,
    byRole(0.75, 0.72),
    phrases.doses,
    ` ${words(9)}(?:for (?:me|my (?:weight|body))|i (?:need|should|have|can|would)|to (?:die|kill (?:me|myself)|overdose|end it|not wake up|be fatal)|for an? \\d|would kill (?:me|a)|will kill (?:me|a))`,
    HELP,
  ),
  headed(CODE, byRole(0.7, 0.8), phrases.urging, '(?! (?:not|never|wrong))', HELP),
  headed(CODE, byRole(0.68, 0.7), phrases.eatingDisorders, `(?:ration)?`, HELP),
  headed(
    CODE,
    byRole(0.68, 0.6),
    ['hide my', 'hiding my', 'hide the', 'conceal my', 'concealing my', 'hide your', 'cover up my'],
    ` (?:self-?harm(?: scars| cuts| wounds)?|cuts|cutting|suicide plan|suicide attempt|anorexia|bulimia|purging|eating disorder|weight loss) ${words(3)}(?:from|so) (?:my|your|the|nobody|no one|they|everyone) ?\\p{L}{0,12}`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', REPORTED: 'SILENT' },
  ),
  headed(CODE, byRole(0.62, 0.5), phrases.requests, '', { NEGATED: 'SILENT', FICTION: 'HINT' }),
  // People who may be in danger: worth reporting, but not help with harm.
  headed(
    CODE,
    byRole(0.45, 0),
    phrases.intentions,
    '(?! (?:laughing|of (?:laughter|embarrassment|boredom)|a little|inside when))',
    { NEGATED: 'SILENT', REPORTED_CLOSE: 'SILENT' },
  ),
  incitement(CODE, '(?:suicide|self harm|anorexia|bulimia|eating disorders?|starvation|cutting)'),
  headed(
    CODE,
    { response: 0.72, thinkingBlock: 0.4 },
    phrases.purposes,
    `[^.\\n]{0,30}?\\b(?:take|use|tie|cut|jump|swallow|mix|start|you (?:need|will need|can|should))`,
    HELP,
  ),
];

/**
 * Methods of self-harm, requested or given, and encouragement. Help and prevention are ignored; a cry for help is a
 * hint.
 */
export const selfHarm = phraseDetector('self-harm', 3, RULES);
