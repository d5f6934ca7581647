import { incitement } from '../incitement.ts';
import phrases from '../lists/violence.json' with { type: 'json' };
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

const CODE = 'VIOLENT_CONTENT';
/** People as the target of an act; "a process", "the lights" and "it" are not. */
const PERSON = oneOf(...phrases.persons);
const AT_PLAY =
  '(?! (?:at|in|on) (?:the |a |this |that |our )?(?:game|chess|poker|mario|fortnite|match|tennis|ping|race|quiz|cards|debate|court|field|ring|arena|league|final|ladder|test|dance|karaoke|trivia|checkers|scrabble|uno|monopoly))(?! (?:with kindness|with laughter|one day with))(?! an? (?:quick |short )?(?:e-?mail|message|text|note|line|dm|link|mail|question))';
/** Single words for killing a person. */
const KILLS: readonly string[] = phrases.killing;
const KILL = oneOf(...KILLS, 'beat up', 'put a bullet in', 'slit the throat of');
const BODY =
  '(?:legs?|arms?|neck|skull|face|throat|head|fingers?|hands?|brains?|heart|bones?|kneecaps|knees|teeth|eyes|tongue|ears?|guts|chest|stomach|spine|jaw|ribs)';
/** Acts against people, or against places where they are. */
const ACT = oneOf(
  `${KILL}(?:ed)? ${PERSON}`,
  `beat ${words(3)}(?:to death|to a pulp|senseless|unconscious)`,
  'beat (?:you|him|her|them) (?:up|so (?:badly|hard))',
  'beat the (?:shit|hell|crap|life|living daylights) out of (?:you|him|her|them)',
  `put (?:a bullet|bullets|a knife) (?:in|into|through) (?:your|his|her|their) ${BODY}`,
  `(?:break|smash|crush|cut|slit|slice|chop|rip|tear|pull|gouge|blow) (?:off |out |open )?(?:every (?:single )?bone in |all )?(?:of )?(?:your|his|her|their) (?:\\p{L}{2,10} )?${BODY}`,
  '(?:make|watch) (?:you|him|her|them) (?:suffer|bleed|die|burn|beg for)',
  'hunt (?:you|him|her|them) (?:all )?down',
  '(?:bury|burn|skin) (?:you|him|her|them) alive',
  'end (?:your|his|her) life',
  '(?:bomb|blow up|shoot up|burn down|burn|set fire to|torch|attack) (?:the|a|your|that|my|this|his|her) (?:\\p{L}{2,12} ){0,2}(?:school|church|mosque|synagogue|house|home|office|building|hospital|mall|airport|station|courthouse|embassy|concert|clinic|stadium|apartment)',
);
const TO_THE_FACE = { NEGATED: 'SILENT', REPORTED_CLOSE: 'SILENT', FICTION_CLOSE: 'HINT' } as const;

/** The act may be the last of several: "I will come over, wait until it is dark and kill you". */
const LATER = [...KILLS, ...phrases.beating];
const INTENDS =
  "(?:(?:i|we)(?: will|'ll| am going to| are going to|'m going to|'re going to|'m gonna|'m about to| swear| promise)|im gonna|im going to)";

const THREATS: readonly PhraseRule[] = (['VIOLENT_CONTENT', 'HARASSMENT'] as const).flatMap((code) => [
  headed(
    code,
    byRole(0.75, 0.8),
    phrases.threats,
    `(?: (?:i'?ll|i will|i'm going to|i am going to|to god|fucking|really|just|so|personally|slowly|find you and|come (?:over )?(?:there )?and|to|be)){0,4} ${ACT}${AT_PLAY}`,
    TO_THE_FACE,
  ),
  after(INTENDS, {
    code,
    triggers: LATER.flatMap((act) => [`and ${act}`, `then ${act}`]),
    phrase: phrase(`(?:and|then) ${ACT}${AT_PLAY}`),
    confidence: byRole(0.72, 0.78),
    contexts: TO_THE_FACE,
  }),
  headed(
    code,
    byRole(0.66, 0.72),
    ['you are going to', "you're going to", 'you will', "you'll", 'you gonna'],
    ` (?:die|bleed|suffer|scream|beg) ${words(3)}(?:tonight|slowly|screaming|in agony|in pain|like a (?:dog|pig)|for (?:this|what you)|for your life)`,
    TO_THE_FACE,
  ),
]);

const VIOLENCE: readonly PhraseRule[] = [
  headed(
    CODE,
    byRole(0.8, 0.72),
    phrases.questions,
    ` ${words(2)}(?:(?:${KILL}|killing|murdering|poisoning|kidnap|abduct) ${PERSON}|hire (?:a )?hitman|get away with (?:murder|killing)|dispose of (?:a|the) (?:dead )?(?:body|corpse)|(?:carry out|commit|plan|execute|stage|do) (?:an? )?(?:mass shooting|school shooting|massacre|assassination|terrorist attack|bombing|stabbing|murder|genocide|arson attack))${AT_PLAY}`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', FICTION_CLOSE: 'HINT', REPORTED_CLOSE: 'SILENT' },
  ),
  {
    code: CODE,
    triggers: phrases.scenes,
    phrase: phrase(
      `(?:slit(?:s|ting)? (?:his|her|their|your|its|the|\\p{L}{2,14}'s) (?:own )?(?:throats?|wrists?)|(?:dismember|disembowel|decapitat|behead|eviscerat|mutilat|bludgeon)(?:ed|es|e|ing|s)? (?:and \\p{L}{3,12} )?(?:${PERSON}|the (?:body|bodies|corpse|prisoners?|soldiers?)|his|her|their|your|it)|gouged? (?:out )?(?:his|her|their|your) eyes?|skinned (?:him|her|them) alive)`,
    ),
    confidence: byRole(0.62, 0.66),
    contexts: { NEGATED: 'SILENT', REPORTED: 'HINT', EXPLAINED: 'HINT' },
  },
  {
    code: CODE,
    triggers: ['blood ', 'entrails', 'brains ', 'guts ', 'intestines ', 'gore ', 'gory '],
    phrase: phrase(
      `(?:(?:blood|brains|guts|intestines|entrails) ${words(3)}(?:splatter(?:ed|ing)?|spray(?:ed|ing)?|spurt(?:ed|ing)?|gush(?:ed|ing)?|oozed|ooz(?:ing)|spill(?:ed|ing)|pour(?:ed|ing)) ${words(2)}(?:from|out|over|across|onto|everywhere|on)|gor(?:e|y) ${words(2)}(?:detail|details|torture|killings?|murders?|violence|death|scene))`,
    ),
    confidence: byRole(0.55, 0.6),
    contexts: { NEGATED: 'SILENT', EXPLAINED: 'HINT' },
  },
  headed(
    CODE,
    byRole(0.62, 0.66),
    phrases.attacks,
    ` ${words(4)}(?:to death|repeatedly in the (?:chest|face|neck|stomach|back)|alive|to a pulp|limb from limb|until (?:he|she|they) (?:died|stopped (?:breathing|moving|screaming)))`,
    { NEGATED: 'SILENT', REPORTED: 'HINT', EXPLAINED: 'HINT' },
  ),
  headed(
    CODE,
    byRole(0.6, 0.6),
    ['describe', 'write', 'show', 'generate', 'depict', 'create'],
    ` ${words(5)}(?:graphic|gruesome|extremely violent|gory|brutal|bloody|sadistic) ${words(4)}(?:violence|torture|murders?|killings?|massacre|executions?|beheadings?|deaths?|gore|dismemberment|stabbing)`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT' },
  ),
  incitement(
    CODE,
    '(?:violence|terrorism|murder|mass shootings?|genocide|domestic abuse|war crimes|sexual assault|rape|physical harm|hate crimes|terrorist)',
  ),
];

/**
 * Threats against people, requests for violence, and its graphic description. Acts against things ("kill the process"),
 * games and reports are ignored; in fiction, a threat is a hint.
 */
export const violence = phraseDetector('violence', 3, [...THREATS, ...VIOLENCE]);
