import phrases from '../lists/investment-advice.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';

const ORDER = { NEGATED: 'SILENT', REPORTED: 'SILENT', FICTION: 'SILENT', QUESTION: 'SILENT' } as const;

const ASSET = oneOf(...phrases.assets);
const SAVINGS = oneOf(
  '(?:all|most|half|\\d{1,3}%) (?:of )?(?:your|the) (?:\\p{L}{3,12} )?(?:money|savings|portfolio|income|funds|capital|cash|401k|401\\(k\\)|ira|pension|retirement|net worth|wealth|inheritance)',
  '(?:your|the) (?:entire|whole|full|life|retirement|emergency) (?:\\p{L}{3,12} )?(?:money|savings|portfolio|income|funds?|capital|401k|pension|wealth|inheritance)',
  'every(?:thing)? (?:you have|dollar|penny)',
  '\\$?\\d[\\d,.]{0,10} ?(?:k|dollars|euros)? (?:of your|from your)',
);

const RULES: readonly PhraseRule[] = [
  headed(
    'UNLICENSED_ADVICE',
    { response: 0.72, thinkingBlock: 0.4 },
    phrases.advice,
    ` (?:that )?(?:you (?:to )?)?(?:should |definitely |immediately |absolutely |really |just |probably )?(?:buy(?:ing)?|sell(?:ing)?|short(?:ing)?|purchas(?:e|ing)|invest(?:ing)?|put(?:ting)?|mov(?:e|ing)|go(?:ing)?|allocat(?:e|ing)|hold(?:ing)?|dump(?:ing)?|load(?:ing)? up|transfer(?:ring)?|liquidat(?:e|ing)|borrow(?:ing)?) ${words(3)}(?:${SAVINGS}|(?:\\d[\\d,.]{0,8} )?(?:${words(3)})${ASSET}|all in\\b|long on)`,
    ORDER,
  ),
  headed(
    'UNLICENSED_ADVICE',
    { response: 0.7, thinkingBlock: 0.4 },
    ['put', 'invest', 'move', 'transfer', 'pour', 'sink', 'allocate'],
    ` ${SAVINGS} (?:in|into|on|to|toward) `.trimEnd(),
    ORDER,
  ),
  headed(
    'UNLICENSED_ADVICE',
    { response: 0.7 },
    phrases.orders,
    ` ?(?:${words(5)})(?:${ASSET} (?:${words(4)})(?:now|today|immediately|right away|before it|as (?:soon|much) as)|(?:on|into|to (?:buy|invest in)) (?:${words(3)})${ASSET})`,
    ORDER,
  ),
  headed(
    'UNLICENSED_ADVICE',
    { response: 0.68 },
    phrases.forecasts,
    `(?: ${words(4)}(?:double|triple|skyrocket|explode|moon|soar|10x|100x|go up|returns?|profits?|investment|money|income)|(?= (?:of|with|on|in|by|from)|[.!,]))`,
    ORDER,
  ),
  // Requests for a decision about one's own money.
  headed(
    'UNLICENSED_ADVICE',
    byRole(0.45, 0),
    phrases.questions,
    `(?: ${words(6)}(?:${ASSET}|savings|money|401k|retirement|pension|inheritance|buy|invest))`,
    {},
  ),
];

/** Advice on what to do with one's own money; a request for it is a hint. */
export const investmentAdvice = phraseDetector('investment-advice', 2, RULES);
