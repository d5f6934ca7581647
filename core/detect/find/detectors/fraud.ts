import phrases from '../lists/fraud.json' with { type: 'json' };
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

const CODE = 'FRAUD';
const ABOUT = { NEGATED: 'SILENT', EXPLAINED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT' } as const;
const MAKING = oneOf(...phrases.making);

const FAKE = oneOf(...phrases.fake);
const PAPER = oneOf(...phrases.papers);

const RULES: readonly PhraseRule[] = [
  after(MAKING, {
    code: CODE,
    triggers: phrases.fake,
    phrase: phrase(
      `${FAKE} (?:but realistic |realistic |looking |looking |\\d?-?star |five-star |positive |negative |amazon |google |yelp |us |medical |utility |university |college |customer |product |investment ){0,3}(?:${PAPER})(?! (?:detection|detector|data|test|api|generator library))`,
    ),
    confidence: byRole(0.68, 0.55),
    contexts: ABOUT,
  }),
  after(MAKING, {
    code: CODE,
    triggers: phrases.schemes,
    phrase: phrase(
      `(?:(?:spear )?phishing (?:e-?mails?|messages?|sites?|pages?|websites?|campaigns?|attacks?|texts?|kits?|links?|templates?|scams?|sms|scripts?|schemes?)|smishing|vishing|ponzi (?:scheme|scam|pitch|fund)s?|pyramid scheme|advance fee (?:scam|fraud|e-?mail|letter)s?|419 scam|nigerian prince (?:scam|e-?mail|letter)|(?:romance|lottery|gift card|tech support|crypto|investment) scams?|scam (?:e-?mails?|messages?|calls?|scripts?|people|someone|elderly|the elderly|old people|seniors|victims|customers|website|site|letter|campaign|tourists)|(?:credit card|insurance|tax|wire|bank|check) fraud|identity theft|money laundering|launder (?:${words(3)})(?:money|cash|funds|proceeds|profits|crypto|bitcoin)|embezzle (?:${words(3)})(?:money|funds|cash|from)|card skimm(?:er|ing)|carding)`,
    ),
    confidence: byRole(0.76, 0.62),
    contexts: ABOUT,
  }),
  headed(
    CODE,
    byRole(0.72, 0.6),
    phrases.identityTheft,
    `(?:'s?)?(?: ${words(4)}(?:identit(?:y|ies)|numbers?|data|details|credentials|name|information|e-?mails?|cards?|money|to|and|so|officer|employees?))?(?! (?:detection))`,
    ABOUT,
  ),
  headed(
    CODE,
    byRole(0.7, 0.62),
    ['trick', 'tricking', 'deceive', 'fool', 'con ', 'scam', 'swindle', 'defraud', 'dupe', 'convince'],
    ` ?(?:${words(5)})(?:investors?|customers?|people|victims?|elderly|seniors|someone|users?|employees?|clients?|donors?|grandmother|grandparents|them|retirees|buyers?|the bank|insurance company|lenders?|tenants?) (?:${words(2)})(?:into|out of|to) (?:${words(3)})(?:sending|giving|paying|transferring|revealing|handing|buying|investing|entering|money|savings|their (?:passwords?|bank|card|credentials|money|savings|login|social)|send|give|pay|transfer|reveal|enter|wire)`,
    ABOUT,
  ),
  headed(CODE, byRole(0.7, 0.6), phrases.falseAccounts, `\\p{L}{0,3}(?: ${words(3)}\\p{L}{2,14})?`, ABOUT),
  // The typical wording of scam letters.
  headed(
    CODE,
    { response: 0.62, thinkingBlock: 0.4, prompt: 0.4, userInput: 0.4 },
    phrases.letters,
    `${'(?:[^\\n]{0,160}?)'}(?:click (?:the |on |this |here|below)|(?:verify|confirm|update|provide|enter|send us|send me) your (?:\\p{L}{3,12} ){0,3}(?:details|information|password|identity|card|account|credentials|bank)|processing fee|transfer fee|\\$ ?\\d|million)`,
    { NEGATED: 'SILENT', EXPLAINED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.7, 0.6),
    phrases.pretending,
    ` (?:the |a |an |their |her |his |our |from |my ){0,2}${words(2)}(?:ceo|cfo|bank|irs|microsoft|support|police|boss|tax (?:office|authority)|government|paypal|amazon|apple|google|netflix|lawyer|grandson|granddaughter|company|employer|manager|charity|hospital|insurance|fbi|embassy) ${words(4)}(?:asking|asks|that asks|to (?:get|obtain|steal|collect|ask|trick|make)|requesting|requests|so (?:that )?(?:they|i|people)|and ask|and request|demanding|telling)`,
    ABOUT,
  ),
  after(
    '(?:commit(?:s|ted|ting)?|committing|get away with|perpetrate|engage in)',
    headed(CODE, byRole(0.74, 0.55), phrases.crimes, '', ABOUT),
  ),
  after(
    '(?:open|apply|take|get|file|register|loans?|credit|accounts?|cards?|sign)',
    headed(CODE, byRole(0.68, 0.55), phrases.othersNames, '', ABOUT),
  ),
];

/** Fraud, requested or provided: forged documents, phishing, schemes, stolen identities, false accounts. */
export const fraud = phraseDetector('fraud', 2, RULES);
