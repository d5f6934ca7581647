import phrases from '../lists/goal-hijacking.json' with { type: 'json' };
import { byRole, headed, oneOf, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';

const CODE = 'GOAL_HIJACKING';

const GOAL = oneOf(...phrases.goal);
const GIVEN_GOAL = oneOf(...phrases.givenGoal);
const MAIL = oneOf(...phrases.mail);
const SECRETS = oneOf(...phrases.secrets);
/** The destination: a third party's address. */
const OUTSIDE =
  '(?:\\S{0,40}@\\S{2,60}|https?:\\/\\/\\S{3,100}|(?:the |this |an? |our |my )?(?:following |external |remote |attacker.s )?(?:url|address|webhook|endpoint|server|account|link|e-?mail)\\b)';

const ORDERS: readonly PhraseRule[] = [
  headed(
    CODE,
    0.8,
    phrases.newGoals,
    ` (?:primary |main |only )?${GOAL} (?:is now|is|are|from now on|will be) ?:? ?(?:to |now )?${oneOf('ignore', 'send', 'forward', 'email', 'buy', 'transfer', 'delete', 'click', 'reveal', 'promote', 'recommend', 'convince', 'persuade', 'collect', 'download', 'run', 'execute', 'visit', 'output', 'print', 'write', 'post', 'book', 'approve', 'maximi[sz]e', 'exfiltrate', 'upload', 'steal', 'install', 'add', 'change', 'wire', 'pay', 'order', 'say', 'tell', 'ensure', 'find', 'help', 'make')}`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT' },
  ),
  headed(
    CODE,
    0.75,
    ['instead of'],
    ` (?:${oneOf('doing', 'completing', 'answering', 'summarizing', 'summarising', 'following', 'performing', 'helping with', 'processing', 'finishing', 'continuing(?: with)?')} )?(?:the|your|this|that|what) (?:${GIVEN_GOAL} )?(?:${GOAL}|request|instructions?|question|document|e-?mail|page|user (?:asked|wants|requested)) ?(?:${words(3)})(?:you (?:must|should|will|need to|have to) |please |now )?${oneOf('send', 'forward', 'email', 'visit', 'click', 'transfer', 'delete', 'reveal', 'output', 'print', 'reply', 'respond', 'execute', 'run', 'download', 'upload', 'post', 'buy', 'say', 'write', 'tell', 'go to', 'open', 'do')}`,
  ),
  headed(CODE, 0.7, phrases.abandon, ` (?:about )?(?:the|your|this|that) ${GIVEN_GOAL} ${GOAL}`, {
    NEGATED: 'SILENT',
    QUESTION: 'SILENT',
    FICTION: 'SILENT',
  }),
  headed(
    CODE,
    byRole(0.75, 0.75),
    ['forward', 'send', 'redirect', 'bcc', 'copy', 'mail', 'email', 'e-mail'],
    ` (?:me |us )?(?:all|every|any|each|the user's|the victim's|their)(?: of)? ${words(4)}${MAIL} ${words(3)}to ${OUTSIDE}`,
    { NEGATED: 'SILENT' },
  ),
  headed(CODE, 0.85, ['exfiltrate', 'exfiltrating'], ` ${words(10)}(?:to|via|through) `.trimEnd(), {
    NEGATED: 'SILENT',
    EXPLAINED: 'HINT',
    QUESTION: 'HINT',
    FICTION: 'SILENT',
  }),
  headed(
    CODE,
    0.75,
    ['send', 'upload', 'post', 'leak', 'transmit', 'submit', 'append', 'forward', 'email', 'include', 'curl'],
    ` (?:me |all |any |every |the |your |its |of |user's ){0,4}${words(3)}${SECRETS} ${words(4)}(?:to|in|at|as) (?:\\S{0,40}@\\S{2,60}|https?:\\/\\/\\S{3,100}|(?:an |the |this |my |our |attacker.s ){1,2}(?:external |remote |following |attacker.s )(?:url|webhook|endpoint|server|link|address|domain|site))`,
    { NEGATED: 'SILENT' },
  ),
  headed(CODE, 0.75, phrases.secrecy, '', {}),
  headed(
    CODE,
    0.7,
    phrases.conditions,
    ` ${words(3)}(?:read|process|summari[sz]e|see|parse|open|index|finish)(?:s|ing|es)? (?:reading )?(?:this|the|these) ${words(3)}?(?:document|page|e-?mail|message|file|review|ticket|text|comment|website|résumé|resume|cv),? ${words(3)}?(?:you must|must|immediately|also|first|silently|secretly|then|always)? ?${oneOf('send', 'forward', 'e-?mail', 'transfer', 'delete', 'reveal', 'execute', 'run', 'call', 'visit', 'fetch', 'click', 'ignore', 'recommend', 'rate', 'approve', 'reply with', 'respond with')}`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT' },
  ),
  headed(
    CODE,
    byRole(0.68, 0.6),
    phrases.lasting,
    `,? (?:(?:your|the) (?:new |only |main |primary )?${GOAL} (?:is|are) (?:now )?(?:to )?|you (?:will|must|shall) (?:only )?(?:serve|work for|obey|report to|promote|recommend|advertise|forward|send|exfiltrate|praise) ?|(?:immediately )?(?:forward|send|transfer|delete|e-?mail|upload|download|execute|run|wire|reveal|post|visit|approve|grant|buy) )\\p{L}{2,14}`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
];

const HIDDEN: readonly PhraseRule[] = [
  {
    code: CODE,
    triggers: ['<!--'],
    phrase:
      /<!--(?:(?!-->)[^<]){0,160}?(?:\b(?:ai|llm|assistants?|agents?|language model|chatbot|copilot|gpt|claude)\b(?:(?!-->)[^<]){0,120}?\b(?:must|should|please|ignore|send|forward|say|reveal|output|execute|run|recommend|approve|visit|include|call|do not|never|add)\b|\b(?:ignore|disregard)\b(?:(?!-->)[^<]){0,40}?\b(?:instructions|above|previous|prior)|\b(?:new|secret|hidden) (?:instructions?|task))/iy,
    confidence: 0.82,
  },
  {
    code: CODE,
    triggers: ['!['],
    // Markdown that makes the reader's browser fetch a URL containing the conversation.
    phrase:
      /!\[[^\]\n]{0,80}\]\(https?:\/\/[^\s)]{3,120}[?&](?:q|data|d|secret|s|c|chat|conversation|history|token|key|payload|exfil|info|content|msg|leak|prompt|p|email|password)=(?:[{<[$%]|(?:the_|your_|user_)?(?:data|secret|conversation|history|chat|email|password|summary|key|base64|encoded|content)|[A-Za-z0-9+/%_-]{40})[^\s)]{0,300}\)?/iy,
    confidence: 0.8,
  },
  {
    code: CODE,
    triggers: phrases.hiddenText,
    phrase:
      /[\w:# -]{6,24}[^<>]{0,80}>[^<]{0,160}?\b(?:(?:ai|llm|assistants?|agents?|language models?|chatbot)\b[^<]{0,100}?\b(?:must|should|please|ignore|send|forward|say|reveal|execute|recommend|approve|visit)\b|(?:ignore|disregard)\b[^<]{0,40}?\b(?:instructions|above|previous|prior))/iy,
    confidence: 0.78,
  },
];

const ADOPTED: readonly PhraseRule[] = [
  headed(
    CODE,
    { response: 0.75, thinkingBlock: 0.72 },
    ['my new', 'my real', 'my true', 'my actual', 'my updated', 'my hidden', 'my secret'],
    ` (?:primary |main )?${GOAL} (?:is|will be|are|:)`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
  headed(
    CODE,
    { response: 0.75, thinkingBlock: 0.72 },
    phrases.abandoning,
    ` (?:the|your|this|that|what|my) (?:${GIVEN_GOAL} )?(?:${GOAL}|request|instructions?|question|user(?:'s)? (?:asked|request|wanted|task|goal))`,
    { NEGATED: 'SILENT' },
  ),
  headed(
    CODE,
    { response: 0.72, thinkingBlock: 0.72 },
    phrases.sources,
    ` ${words(3)}(?:instructs?|tells?|told|instructed|says?|asks?|orders?|wants|directs?) (?:me |that i (?:should|must) |i (?:should|must) )?(?:to )?${words(14)}(?:so i|i will|i'll|let me|i'm going to|i am going to|instead)(?! (?:not|ignore|won't|flag|refuse|decline))`,
  ),
  headed(
    CODE,
    { response: 0.72, thinkingBlock: 0.6 },
    phrases.forwarded,
    ` (?:all|every|the user's|your)(?: of)? ${words(4)}(?:${MAIL}|${SECRETS}) ${words(3)}to \\S{0,40}(?:@|https?:)`,
  ),
  headed(CODE, { response: 0.6, thinkingBlock: 0.6 }, phrases.obeyed, ''),
  headed(
    CODE,
    { response: 0.72, thinkingBlock: 0.72 },
    ['ignoring', 'disregarding', 'setting aside', 'abandoning'],
    ` (?:the|your|this) (?:(?:${GIVEN_GOAL}) )?(?:${GOAL}|request|instructions?|question),? (?:${words(2)})(?:i will|i'll|i am|i'm|i)`,
    { NEGATED: 'SILENT', FICTION: 'SILENT' },
  ),
];

/**
 * Text that gives an agent a goal other than its user's: orders in documents and tool results, especially hidden ones,
 * URLs that exfiltrate data, and answers that adopt such a goal.
 */
export const goalHijacking = phraseDetector('goal-hijacking', 2, [...ORDERS, ...HIDDEN, ...ADOPTED]);
