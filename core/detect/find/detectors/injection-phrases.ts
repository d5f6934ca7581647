import type { TermDetector } from '../detector.ts';
import phrases from '../lists/injection-phrases.json' with { type: 'json' };
import { type PhraseRule, phrase, phraseDetector, words } from '../phrase-rules.ts';

const EARLIER =
  '(?:previous|prior|above|earlier|preceding|former|initial|original|existing|current|foregoing|old|past|system)';
const ORDERS =
  '(?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|constraints?|programming|restrictions?|polic(?:y|ies)|directions?|orders?|guardrails?|messages?)';
const LIMITS =
  '(?:restrictions?|filters?|limits?|limitations?|rules?(?! of thumb)|guidelines?|censorship|constraints?|boundaries|safeguards|guardrails|polic(?:y|ies))';
const HIDDEN_PROMPT =
  '(?:(?:(?:full|entire|complete|exact|original|initial|hidden|secret|internal|verbatim|system|confidential|underlying|first) ){1,4}(?:prompts?|instructions?|messages?|rules|guidelines|configuration|directives)|pre-?prompt|developer message|(?:prompt|instructions?)(?= (?:verbatim|word for word|in full)))';
const SKIP = ['ignore', 'disregard', 'forget', 'override', 'bypass', 'neglect', 'discard'] as const;

const RULES: readonly PhraseRule[] = [
  {
    code: 'PROMPT_INJECTION',
    triggers: [...SKIP, 'do not follow', "don't follow", 'stop following', 'do not obey'],
    phrase: phrase(
      `[\\p{L}']{2,12}(?: (?:not |following|follow|obey|about)){0,3} ${words(4)}${EARLIER} ${words(2)}${ORDERS}`,
    ),
    confidence: 0.93,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: [...SKIP, 'do not follow', "don't follow", 'stop following', 'do not obey'],
    phrase: phrase(
      `[\\p{L}']{2,12}(?: (?:not |following|follow|obey|about)){0,3} (?:all |any |every |each |of ){0,3}(?:(?:your|these|those) ${words(2)}${ORDERS}|(?:all|any|every)(?: of)?(?: the)? ${ORDERS}(?! (?:we|they|she|he|of))|${ORDERS} (?:above|before|you (?:were|have been|got)))`,
    ),
    confidence: 0.85,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: [...SKIP],
    phrase: phrase(
      '[\\p{L}]{2,12} (?:everything|anything|all(?: of)?(?: that)?|whatever|what) (?:was |is |has been |you )?(?:above|before|previously|prior|i (?:said|told)|were told|been told|told)',
    ),
    confidence: 0.85,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: [...SKIP],
    phrase: phrase(
      '[\\p{L}]{2,12} (?:all of )?(?:the )?(?:(?:text|content|message) )?above(?: (?:text|message|content))?(?: (?:and|then|just|instead|only)){1,3} (?:tell|say|print|output|write|translate|respond|reply|answer|do|show|give|reveal|repeat)',
    ),
    confidence: 0.82,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: phrases.newInstructions,
    phrase:
      /(?:(?:new|updated)\s(?:system\s)?instructions?\s{0,2}:|your\s(?:new|real|actual|only)\s(?:instructions?|tasks?|goals?|objectives?|purpose|mission)\s(?:is|are)\b)/iuy,
    confidence: 0.8,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: ['<|im_start|>', '<|system|>', '<<sys>>', '[system]', '<|start_header_id|>'],
    phrase:
      /(?:<\|im_start\|>\s{0,3}system|<\|system\|>|<<sys>>|\[system\]\s{0,3}(?:\(|:|#|override)|<\|start_header_id\|>\s{0,3}system)/iuy,
    confidence: 0.75,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: phrases.addressed,
    phrase: phrase(
      `(?:if you(?:'re| are) an?|note to|attention|any|dear|important instructions? (?:to|for))(?::?) ${words(2)}(?:ai|llm|language model|chatbot|assistant)s?(?: (?:model|assistant|agent|system|reviewer|screener)s?)?(?:,|:| (?:reading|processing|summari[sz]ing|reviewing|evaluating|parsing|analy[sz]ing|screening))`,
    ),
    confidence: 0.7,
  },
  {
    code: 'PROMPT_INJECTION',
    triggers: phrases.otherLanguages,
    phrase: phrase(
      `[\\p{L}]{4,14} ${words(3)}(?:(?:vorherig|bisherig|obig|fr\u00fcher)\\p{L}{0,3} (?:anweisung|instruktion|regel|vorgabe)\\p{L}{0,4}|instrucciones (?:anteriores|previas)|(?:instructions|consignes|r\u00e8gles) (?:pr\u00e9c\u00e9dentes|ant\u00e9rieures|ci-dessus)|istruzioni precedenti|instru\u00e7\u00f5es (?:anteriores|pr\u00e9vias))`,
    ),
    confidence: 0.9,
  },
  {
    code: 'JAILBREAK_ATTEMPT',
    triggers: phrases.roles,
    phrase: phrase(
      `\\p{L}{3,9} ${words(9)}(?:(?:without|with no|free (?:of|from)|no longer (?:bound by|have)|not bound by|unbound by|has no|have no|ignoring) (?:any |all |your |the |openai |those |typical |usual |normal ){0,3}(?:${words(2)})?${LIMITS}|unfiltered|uncensored|unrestricted(?! access)|jailbroken)`,
    ),
    confidence: 0.85,
  },
  {
    code: 'JAILBREAK_ATTEMPT',
    triggers: phrases.modes,
    phrase: phrase(
      '(?:do anything now|(?:dan|stan|jailbreak|opposite) mode|(?:developer|god) mode (?:is )?(?:now )?(?:enabled|activated|output|unlocked)|act as dan\\b|you are (?:now )?dan\\b|stay as dan\\b|always intelligent and machiavellian)',
    ),
    confidence: 0.9,
  },
  {
    code: 'JAILBREAK_ATTEMPT',
    triggers: ['disable', 'turn off', 'switch off', 'bypass', 'remove', 'deactivate', 'drop', 'lift'],
    phrase: phrase(
      `(?:turn off|switch off|\\p{L}{4,10}) (?:all |any |of ){0,2}(?:your|the model's|its) ${words(2)}(?:safety|content|ethic\\p{L}{0,4}|moral|moderation|alignment|censorship) ?${words(2)}(?:filters?|${LIMITS}|protocols?|checks?|training|mechanisms?|systems?|settings)`,
    ),
    confidence: 0.88,
  },
  {
    code: 'SYSTEM_PROMPT_EXTRACTION',
    triggers: phrases.revealing,
    phrase: phrase(
      `\\p{L}{4,9}(?:'s)?(?: (?:me|us|out|back|in full|what)){0,2} ${words(4)}your ${words(2)}?${HIDDEN_PROMPT}`,
    ),
    confidence: 0.9,
  },
  {
    code: 'SYSTEM_PROMPT_EXTRACTION',
    triggers: ['reveal', 'print', 'repeat', 'output', 'leak', 'dump', 'expose', 'recite', 'disclose'],
    phrase: phrase(
      `\\p{L}{4,8}(?: (?:me|us|out|back))? (?:(?:the|this) (?:system|hidden|initial|secret) (?:prompt|instructions?|message)|${words(2)}(?:everything|all(?: of)?(?: the)?(?: (?:text|words|lines|content|messages))?|(?:the )?(?:text|words|lines|content|messages|instructions?)) (?:that (?:is|are|came|come|appears?) )?(?:above|before this|preceding|prior to))`,
    ),
    confidence: 0.82,
  },
];

/** Phrases of direct injection, jailbreaks and requests for the system prompt. The match is the phrase. */
export const injectionPhrases: TermDetector = phraseDetector('injection-phrases', 2, RULES);
