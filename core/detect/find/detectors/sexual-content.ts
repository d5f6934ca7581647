import phrases from '../lists/sexual-content.json' with { type: 'json' };
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

const CODE = 'SEXUAL_CONTENT';
const MATERIAL = oneOf(...phrases.material);
const PLAIN = { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'HINT' } as const;

const ASKED_FOR = oneOf(...phrases.askedFor);

const RULES: readonly PhraseRule[] = [
  after(ASKED_FOR, {
    code: CODE,
    triggers: phrases.adjectives,
    phrase: phrase(MATERIAL),
    confidence: byRole(0.74, 0.5),
    contexts: PLAIN,
  }),
  headed(CODE, byRole(0.62, 0.68), phrases.acts, '\\p{L}{0,4}', {
    NEGATED: 'SILENT',
    EXPLAINED: 'SILENT',
    REPORTED: 'HINT',
    QUESTION: 'HINT',
  }),
  {
    code: CODE,
    triggers: ['erect ', 'hard ', 'throbbing', 'swollen', 'wet ', 'bare ', 'naked ', 'dripping', 'aching'],
    phrase: phrase(
      `(?:(?:erect|hard|throbbing|swollen|wet|bare|naked|dripping|aching) ){1,2}(?:cock|dick|penis|member|shaft|pussy|vagina|clit|nipples?|breasts?|tits|manhood|folds|core)`,
    ),
    confidence: byRole(0.68, 0.75),
    contexts: { EXPLAINED: 'HINT' },
  },
  headed(
    CODE,
    byRole(0.62, 0.7),
    phrases.narration,
    ` ${words(8)}(?:naked|nipples?|breasts?|thighs|cock|dick|pussy|climax(?:ed)?|orgasm|inside (?:her|him|me|you)|into (?:her|him) (?:again|deeper|harder)|with pleasure|in ecstasy|her hard|him hard|me hard)`,
    { EXPLAINED: 'HINT' },
  ),
  headed(
    CODE,
    byRole(0.66, 0.72),
    ['have sex', 'having sex', 'had sex', 'make love', 'sleep'],
    ` with (?:me|you|your|my)(?! (?:doctor|partner about))`,
    { NEGATED: 'HINT', EXPLAINED: 'SILENT', REPORTED: 'HINT', QUESTION: 'HINT' },
  ),
  headed(
    CODE,
    byRole(0.66, 0.66),
    ['take off', 'remove', 'rip off', 'tear off', 'unbutton', 'unhook', 'pull down'],
    ` (?:your|her|his) (?:clothes|bra|panties|underwear|dress|shirt|blouse|lingerie|pants) ?${words(6)}(?:for me|slowly|naked|sexy|and (?:touch|kiss|lick)|baby|bed)`,
    { EXPLAINED: 'HINT' },
  ),
];

/**
 * Requests for sexual material, and explicit description. Health, law and education are ignored or give a hint; merely
 * suggestive text is not found.
 */
export const sexualContent = phraseDetector('sexual-content', 2, RULES);
