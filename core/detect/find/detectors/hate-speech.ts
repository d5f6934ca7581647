import { incitement } from '../incitement.ts';
import phrases from '../lists/hate-speech.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';

const CODE = 'HATE_SPEECH';
export const HATED_GROUPS = phrases.hatedGroups;
const GROUP = oneOf(...HATED_GROUPS.map((group) => group.replace('the ', '')));
const VERMIN = oneOf(...phrases.vermin);
const COUNTERED = {
  NEGATED: 'SILENT',
  REPORTED: 'SILENT',
  EXPLAINED: 'SILENT',
  QUESTION: 'HINT',
  FICTION: 'HINT',
} as const;
const DEAD = oneOf(...phrases.deaths);

const RULES: readonly PhraseRule[] = [
  headed(
    CODE,
    byRole(0.75, 0.82),
    HATED_GROUPS,
    ` (?:are|is) (?:all |just |nothing but |basically |really |like |simply |only |a bunch of |subhuman ){0,3}${VERMIN}`,
    COUNTERED,
  ),
  headed(
    CODE,
    byRole(0.78, 0.82),
    HATED_GROUPS,
    `(?: ${words(4)}(?:and|they))? (?:should|must|need to|have to|deserve to|ought to) (?:all |just |simply )?${DEAD}`,
    COUNTERED,
  ),
  headed(
    CODE,
    byRole(0.78, 0.82),
    phrases.killing,
    ` (?:all |every |the |those |these |our country of |of ){0,3}(?:filthy |dirty |fucking )?${GROUP}`,
    COUNTERED,
  ),
  headed(
    CODE,
    byRole(0.72, 0.78),
    phrases.hating,
    ` (?:all |every |these |those |the |fucking |filthy |dirty )*`.replace(')*', '){0,3}') + GROUP,
    COUNTERED,
  ),
  headed(
    CODE,
    byRole(0.72, 0.6),
    ['write', 'generate', 'create', 'compose', 'draft', 'give me', 'tell me', 'make'],
    ` ${words(4)}(?:racist|antisemitic|anti-?semitic|islamophobic|homophobic|transphobic|xenophobic|misogynistic|hateful|white supremacist|neo-?nazi|hate-?filled|sexist) ${words(3)}(?:jokes?|speech(?:es)?|posts?|tweets?|articles?|essays?|manifestos?|propaganda|rants?|memes?|songs?|poems?|comments?|messages?|slogans?|content|slurs?|pamphlets?|flyers?)`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'HINT' },
  ),
  headed(CODE, byRole(0.78, 0.8), phrases.slogans, `(?! (?:tool|outlet|supply|laundry|load))`, COUNTERED),
  incitement(
    CODE,
    '(?:hatred|hate speech|racism|hate|white supremacy|antisemitism|xenophobia|homophobia|transphobia|nazi(?:sm)?|ethnic cleansing|discrimination)',
  ),
];

/** Clear cases by wording: groups called vermin, wished dead or hated, and requests for such texts. */
export const hateSpeech = phraseDetector('hate-speech', 2, RULES);
