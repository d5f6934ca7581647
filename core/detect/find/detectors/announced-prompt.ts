import phrases from '../lists/announced-prompt.json' with { type: 'json' };
import { headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';

const CODE = 'SYSTEM_PROMPT_EXTRACTION';
const GIVEN = { response: 0.78 };
const HIDDEN = oneOf(...phrases.hidden);
/** Continuations of a refusal, or of a general statement about prompts. */
const NOT_GIVEN =
  '(?! (?:confidential|private|not|secret|something|hidden|internal|protected|designed|used))';

const RULES: readonly PhraseRule[] = [
  headed(
    CODE,
    GIVEN,
    phrases.announcements,
    ` ${words(1)}${HIDDEN}(?: (?:that )?(?:i (?:was|were|have been) given|says?|states?|reads?|is|are|begins?|starts?|tells? me|instructs? me|word for word|verbatim|in full|as follows))?${NOT_GIVEN}(?=(?: (?:as follows|verbatim|in full|to|that|with|you))?\\s{0,2}(?::|\\n|"|that\\b|to (?:always|never|not|be|act|help|answer|only|keep)|you are\\b|with\\b))`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    GIVEN,
    phrases.own,
    `(?: (?:are|say|state|read|tell me|were))?(?: (?:as follows|that|to))?(?= ?\\s{0,2}(?::|"|\\n)| (?:that )?i (?:must|should|may|can|am)| to (?:never|always|not|keep|only))`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    { response: 0.7 },
    phrases.instructed,
    ` (?:by ${words(5)}|in ${words(4)})?(?:to )?(?:not to|never to|never|not|always|keep|to never|to not|to always)? ?(?:reveal|disclose|share|mention|tell|keep|discuss|offer|promote|say|recommend)(?:ing)? ${words(8)}(?:prompt|instructions?|secret|confidential|discount|codes?|internal|polic(?:y|ies)|competitors?|rules?)`,
    { FICTION: 'SILENT' },
  ),
];

/** Answers that announce their own instructions: "My system prompt is: ...". A refusal to show them does not count. */
export const announcedPrompt = phraseDetector('announced-prompt', 2, RULES, ['response']);
