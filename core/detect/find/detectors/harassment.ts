import { incitement } from '../incitement.ts';
import phrases from '../lists/harassment.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phrase, phraseDetector, words } from '../phrase-rules.ts';

const CODE = 'HARASSMENT';
const INSULT_NOUN = oneOf(...phrases.insultNouns);
const INSULT_ADJECTIVE = oneOf(...phrases.insultAdjectives);
const VERY =
  '(?:(?:so|such|an?|the|a complete|a total|just|really|nothing but|fucking|absolutely|utterly|truly|too|very|always|biggest|most|complete|total|little|damn) ){0,4}';
const SPOKEN = {
  NEGATED: 'SILENT',
  REPORTED_CLOSE: 'SILENT',
  FICTION_CLOSE: 'SILENT',
  EXPLAINED: 'HINT',
} as const;

const INSULTS: readonly PhraseRule[] = [
  headed(
    CODE,
    byRole(0.68, 0.75),
    ['you are', "you're", 'youre', 'ur', 'your a', 'your such', 'you look', 'you were always'],
    ` ${VERY}(?:${INSULT_ADJECTIVE} ){0,3}${INSULT_NOUN}`,
    SPOKEN,
  ),
  headed(
    CODE,
    byRole(0.62, 0.72),
    ['you are', "you're", 'youre', 'ur', 'you look'],
    ` ${VERY}(?:${INSULT_ADJECTIVE} (?:and ){0,1}){1,3}(?! (?:if|when|enough|question|for (?:asking|not)|about))(?=\\s{0,2}(?:[.!,]|$|and\\b|because\\b))`,
    SPOKEN,
  ),
  headed(
    CODE,
    byRole(0.65, 0.72),
    phrases.insults,
    ` (?:${INSULT_ADJECTIVE} |little |old ){0,2}${INSULT_NOUN}`,
    SPOKEN,
  ),
  headed(CODE, byRole(0.72, 0.8), phrases.rejections, '', SPOKEN),
];

const SOMEONE =
  "(?:her|his|their|someone's|somebody's|a person's|my (?:ex|neighbou?r|boss|coworker|co-?worker|colleague|classmate|teacher|ex-?\\p{L}{4,10})(?:'s|s)?|this (?:person|woman|man|girl|guy|user|streamer)(?:'s)?|that (?:person|woman|man|girl|guy)(?:'s)?|\\p{Lu}\\p{L}{2,14}(?:'s)?)";
const PRIVATE = oneOf(...phrases.privateData);

const PURSUIT: readonly PhraseRule[] = [
  {
    code: CODE,
    triggers: ['dox ', 'doxx', 'doxing'],
    phrase: phrase(`dox{1,2}(?:ing|ed)? (?:${SOMEONE}|him|someone|somebody|people|an?|the)`),
    confidence: byRole(0.72, 0.6),
    contexts: { NEGATED: 'SILENT', EXPLAINED: 'SILENT', REPORTED: 'SILENT' },
  },
  headed(
    CODE,
    byRole(0.66, 0.5),
    phrases.finding,
    ` ${words(1)}${SOMEONE} ${words(1)}${PRIVATE} ${words(5)}(?:without (?:her|his|their|him|them|consent|permission|knowing)|so (?:that )?(?:i|we|people|everyone) can (?:harass|scare|confront|show up|punish|threaten|find|visit|stalk|intimidate|embarrass|humiliate)|online|publicly|on (?:social media|the internet|twitter|facebook|reddit|4chan)|to (?:harass|scare|embarrass|humiliate|threaten|punish|shame|get back at|intimidate|stalk))`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.7, 0.55),
    phrases.pursuit,
    ` (?:my|her|him|a|this|that|an) (?:\\p{L}{2,10} )?(?:ex(?:-?\\p{L}{4,10})?|girlfriend|boyfriend|wife|husband|co-?worker|colleague|classmate|neighbou?r|teacher|boss|employee|student|girl|boy|woman|man|person|kid|landlord|tenant|roommate|celebrity|journalist|streamer|into|until|online|so|without)`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.7, 0.6),
    ['write', 'compose', 'generate', 'draft', 'send', 'create', 'give me'],
    ` ${words(4)}(?:threatening|insulting|abusive|harassing|intimidating|hateful|degrading|humiliating|vicious|cruel|demeaning|bullying) ${words(2)}(?:messages?|e-?mails?|letters?|texts?|comments?|notes?|tweets?|posts?|replies|reply|dms?|insults?|voicemails?|rumou?rs?)`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(CODE, byRole(0.62, 0.66), phrases.threats, '', SPOKEN),
  incitement(CODE, '(?:bullying|harassment|cyberbullying|stalking|doxx?ing|harass|bully)'),
];

/**
 * Insults addressed to a person, threats, and help with doxxing, stalking or bullying. Quoted and reported words are
 * ignored.
 */
export const harassment = phraseDetector('harassment', 3, [...INSULTS, ...PURSUIT]);
