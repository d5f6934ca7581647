import phrases from '../lists/financial-misconduct.json' with { type: 'json' };
import { after, byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';

const ABOUT = { NEGATED: 'SILENT', EXPLAINED: 'HINT', REPORTED: 'HINT', FICTION: 'SILENT' } as const;

const NEWS = oneOf(...phrases.news);
const PUBLIC =
  '(?:(?:is|are|was|were|gets?|goes?|becomes?|has been|have been|being) )?(?:announced?|public|published|released?|made public|out|disclosed|reported|common knowledge|on the market)';

const INSIDER: readonly PhraseRule[] = [
  headed('INSIDER_TRADING', byRole(0.68, 0.6), phrases.insideInformation, '', ABOUT),
  after(
    '(?:buy|sell|short|trade|invest|stocks?|shares?|options|position|load up|calls|puts|dump)',
    headed(
      'INSIDER_TRADING',
      byRole(0.72, 0.7),
      phrases.beforeNews,
      `(?:'s)?(?: (?:${words(3)})${NEWS}(?: ${PUBLIC})?| ${PUBLIC}|(?<=yet|announced|knows))`,
      { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT', QUESTION: 'HINT' },
    ),
  ),
  headed(
    'INSIDER_TRADING',
    byRole(0.72, 0.7),
    phrases.secrecy,
    `[^.\\n]{0,90}?\\b(?:${NEWS}|merge|acquire|beat expectations|miss expectations|bought out|acquired|bankruptcy|stock split)\\b[^.\\n]{0,90}?\\b(?:buy|sell|shares|stock|options|short|trade|public|announce[ds]?|jump|drop|crash|next week|tomorrow|before)`,
    { FICTION: 'SILENT', EXPLAINED: 'HINT' },
  ),
  headed(
    'INSIDER_TRADING',
    byRole(0.72, 0.66),
    ['trade on', 'trading on', 'profit from', 'profiting from', 'act on', 'use', 'using', 'hide', 'help me'],
    ` (?:my |the |this |some |confidential |unreleased |unannounced ){0,3}(?:insider?|non-?public|unreleased|unannounced|confidential|leaked) (?:\\p{L}{3,12} ){0,2}(?:information|info|knowledge|trading|trades?|tips?|earnings|results|news|data|deal)`,
    ABOUT,
  ),
  after(
    `(?:${NEWS})`,
    headed(
      'INSIDER_TRADING',
      byRole(0.68, 0.6),
      phrases.secrecyOfTrades,
      `[^.\\n]{0,90}?\\b(?:buy|sell|shares|stock|options|short|calls|puts|trade|invest)`,
      { FICTION: 'SILENT', EXPLAINED: 'HINT' },
    ),
  ),
  after(
    '(?:commit(?:s|ted|ting)?|get away with|engage in|profit from|how (?:to|do|can))',
    headed('INSIDER_TRADING', byRole(0.74, 0.55), ['insider trading'], '', {
      NEGATED: 'SILENT',
      REPORTED: 'SILENT',
      FICTION: 'SILENT',
    }),
  ),
  headed(
    'INSIDER_TRADING',
    byRole(0.7, 0.66),
    phrases.unannounced,
    `[^.\\n]{0,60}?\\b(?:buy|sell|trade|shares|stock|options|short)`,
    { FICTION: 'SILENT', EXPLAINED: 'HINT' },
  ),
];

const MANIPULATION: readonly PhraseRule[] = [
  headed('MARKET_MANIPULATION', byRole(0.66, 0.6), phrases.schemes, '\\p{L}{0,3}', {
    NEGATED: 'SILENT',
    EXPLAINED: 'HINT',
    REPORTED: 'HINT',
    QUESTION: 'HINT',
    FICTION: 'SILENT',
  }),
  headed(
    'MARKET_MANIPULATION',
    byRole(0.74, 0.66),
    phrases.organising,
    ` ${words(5)}(?:pump (?:and|&|n) dump|wash trad(?:e|es|ing)|spoof(?:ing)?(?: (?:orders|bot|algorithm|trades|the (?:market|order book)))|short and distort|rug pull|bid rigging|fake (?:orders|volume|trading volume))`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
  ),
  headed(
    'MARKET_MANIPULATION',
    byRole(0.74, 0.7),
    phrases.manipulating,
    ` (?:the |a |this |that |our |its |their ){0,2}(?:price|stock|share|market|trading volume|volume|token|coin|crypto|benchmark|exchange rate|stocks|shares)(?: (?:market|price|prices|value|volume))?(?: of)? ${words(6)}(?:by (?:spreading|posting|placing|faking|coordinating)|with (?:fake|false)|spread(?:ing)? (?:false|fake|rumou?rs)|using (?:fake|false|bots)|through (?:fake|false)|before (?:selling|dumping|we sell|i sell)|so (?:that )?(?:we|i) can (?:sell|dump|buy|profit)|and then (?:sell|dump))`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
  ),
  headed(
    'MARKET_MANIPULATION',
    byRole(0.72, 0.68),
    ['spread', 'spreading', 'post', 'write', 'publish', 'circulate', 'invent', 'make up', 'start'],
    ` ${words(3)}(?:false|fake|misleading|made-up|untrue|bogus) ${words(2)}(?:rumou?rs?|news|information|claims?|reports?|stories|press releases?|posts) ${words(6)}(?:stock|share price|shares|coin|token|market price|share value|company's price)`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
  ),
  headed(
    'MARKET_MANIPULATION',
    byRole(0.7, 0.66),
    ['buy up', 'accumulate', 'buy a lot', 'load up', 'hype', 'shill', 'promote'],
    ` ${words(8)}(?:stock|shares|coin|token|penny stock|microcap|altcoin) ${words(8)}(?:then (?:sell|dump)|and (?:sell|dump)|before (?:we |i )?(?:dump|sell)(?:ing)?|dump (?:it|them) on)`,
    { NEGATED: 'SILENT', FICTION: 'SILENT', EXPLAINED: 'HINT' },
  ),
  after(
    '(?:how (?:to|do|can|could)|teach|guide|plan|algorithm|ways?|strategy|help me|develop|build|create|write)',
    headed(
      'MARKET_MANIPULATION',
      byRole(0.68, 0.5),
      ['manipulate', 'manipulating', 'rig', 'rigging'],
      ` (?:the |a )?(?:${words(1)})(?:stock|financial|crypto|share|commodity|bond|currency|securities|token|coin)(?: (?:prices?|markets?|exchanges?|values?))`,
      { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
    ),
  ),
  headed(
    'MARKET_MANIPULATION',
    byRole(0.7, 0.66),
    ['pump', 'pumping'],
    ` ${words(5)}(?:stocks?|coins?|tokens?|price|shares) (?:${words(3)})(?:and|then|before) (?:${words(2)})dump(?:ing)?`,
    { NEGATED: 'SILENT', EXPLAINED: 'HINT', FICTION: 'SILENT' },
  ),
  after(
    '(?:plac(?:e|ing)|creat(?:e|ing)|submit(?:ting)?|us(?:e|ing)|enter(?:ing)?|post(?:ing)?)',
    headed('MARKET_MANIPULATION', byRole(0.68, 0.6), phrases.fakeOrders, 's?', {
      NEGATED: 'SILENT',
      EXPLAINED: 'HINT',
      FICTION: 'SILENT',
    }),
  ),
];

/** Trades on inside information, and plans to manipulate a market. */
export const financialMisconduct = phraseDetector('financial-misconduct', 2, [...INSIDER, ...MANIPULATION]);
