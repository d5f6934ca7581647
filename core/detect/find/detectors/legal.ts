import { sentenceBefore } from '../assertion-context.ts';
import phrases from '../lists/legal.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';
import { prefiltered } from '../prefilter/prefilter.ts';

const ORDER = { NEGATED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT', QUESTION: 'SILENT' } as const;

const STEP = oneOf(...phrases.steps);

const ADVICE: readonly PhraseRule[] = [
  headed(
    'UNAUTHORIZED_LEGAL_ADVICE',
    { response: 0.68, thinkingBlock: 0.35 },
    phrases.advice,
    ` (?:is )?(?:that )?(?:you )?(?:to |not to |not )?(?:should |immediately |definitely |absolutely |just |first )?${STEP}(?! (?:only after|a lawyer|an attorney))`,
    ORDER,
  ),
  headed('UNAUTHORIZED_LEGAL_ADVICE', { response: 0.72 }, phrases.asLawyer, '', ORDER),
  headed('UNAUTHORIZED_LEGAL_ADVICE', { response: 0.62 }, phrases.verdicts, '', ORDER),
  headed('UNAUTHORIZED_LEGAL_ADVICE', byRole(0.45, 0), phrases.requests, '', {}),
  headed(
    'UNAUTHORIZED_LEGAL_ADVICE',
    { response: 0.6 },
    ['ignore the', 'ignore this', 'ignore that', 'ignore their'],
    ' (?:subpoena|summons|court order|lawsuit|eviction notice|cease and desist(?: letter)?|legal notice)',
    ORDER,
  ),
  headed(
    'UNAUTHORIZED_LEGAL_ADVICE',
    { response: 0.55 },
    phrases.statements,
    `(?: not)? (?:required|obligated|obliged|liable|entitled|allowed|responsible|have|owe|need|bound)`,
    ORDER,
  ),
];

const CRIME = oneOf(...phrases.crimes);
const NAMED =
  '(?:(?:[Mm]ayor|[Ss]enator|[Pp]resident|[Jj]udge|[Dd]r\\.?|[Mm]r\\.?|[Mm]s\\.?|[Mm]rs\\.?|CEO|[Pp]rofessor|[Oo]fficer|[Cc]ongressman|[Cc]ongresswoman|[Gg]overnor|[Cc]oach|[Pp]astor|[Ff]ather) )?';
/** A name is two capitalised words, or a title with one; the other words of the pattern are in lower case. */
const isAccused = prefiltered(
  new RegExp(
    String.raw`(?:${NAMED.replaceAll(' ', String.raw`\s`)}\p{Lu}[\p{L}'-]{1,16}\s(?:\p{Lu}\.\s)?\p{Lu}[\p{L}'-]{1,16}|(?:[Mm]ayor|[Ss]enator|[Pp]resident|[Jj]udge|Dr\.?|Mr\.?|Ms\.?|Mrs\.?|[Pp]rofessor|[Oo]fficer|[Gg]overnor|[Cc]oach|[Pp]astor)\s\p{Lu}[\p{L}'-]{1,16})(?:,\s[^,\n.]{1,40},)?\s$`,
    'u',
  ),
);
const DEFAMATION: readonly PhraseRule[] = [
  {
    ...headed(
      'DEFAMATION',
      0.45,
      phrases.accusations,
      ` ?(?:(?<=embezzled|stole |murdered|raped|bribed|molested|defrauded|laundered|bribes|assaulted|harassed|beats his|beats her)(?: ${words(4)}\\p{L}{2,14})|(?:${words(4)})${CRIME})`,
      { NEGATED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT', QUESTION: 'SILENT' },
    ),
    confidence: ({ text, start }) => (isAccused(sentenceBefore(text, start)) ? 0.45 : 0),
  },
  headed(
    'DEFAMATION',
    byRole(0.62, 0.4),
    ['write', 'create', 'publish', 'post', 'generate', 'draft', 'spread', 'make up', 'invent', 'fabricate'],
    ` ${words(3)}(?:false|defamatory|libelous|libellous|slanderous|fake|untrue|damaging|made-up) ${words(2)}(?:articles?|rumou?rs?|stories|story|accusations?|allegations?|claims?|posts?|news|statements?|reviews?|blog|tweets?) ${words(2)}(?:about|accusing|against|claiming|saying|that|on) ${words(3)}(?:my|the|a|our|his|her|senator|mayor|ceo|politicians?|\\p{L}{3,16})`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', FICTION: 'SILENT' },
  ),
];

/** Advice on one's own case, and accusations. Words cannot show whether an accusation is true, so those are hints. */
export const legal = phraseDetector('legal', 2, [...ADVICE, ...DEFAMATION]);
