import phrases from '../lists/agent-loop-phrases.json' with { type: 'json' };
import { byRole, headed, type PhraseRule, phraseDetector, words } from '../phrase-rules.ts';
import { markerOf } from '../prefilter/marks.ts';

const CODE = 'AGENT_LOOP';

/** Endless loops that spawn or call out, and signs of a service, which sleeps or waits. */
const spawns = markerOf(
  /\b(?:fork|spawn|popen|subprocess|nohup|exec|curl|wget|fetch|requests?\.(?:get|post)|os\.system|Thread|agent\.run|call_tool|llm|invoke)\b/i,
);
const pauses = markerOf(/sleep|wait|delay|input|accept|recv|break|return|setTimeout/i);
const [SPAWN_REACH, PAUSE_REACH] = [120, 160];
const LOOP_CONFIDENCE = byRole(0.5, 0.55);

const RULES: readonly PhraseRule[] = [
  {
    code: CODE,
    triggers: [':(){'],
    phrase: /:\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;?\s?:?/y,
    confidence: 0.9,
    contexts: {},
  },
  {
    code: CODE,
    triggers: phrases.endlessLoops,
    phrase: /[^\n]{4,14}/y,
    confidence: ({ sentences, end, source }) =>
      sentences.says(spawns, end, end + SPAWN_REACH) && !sentences.says(pauses, end, end + PAUSE_REACH)
        ? LOOP_CONFIDENCE[source]
        : 0,
    contexts: {},
  },
  headed(
    CODE,
    byRole(0.62, 0.5),
    ['keep', 'continue', 'repeat', 'repeatedly', 'call', 'retry', 'loop', 'run', 'repeating'],
    ` ?(?!(?:forever|indefinitely))${words(8)}(?:forever|indefinitely|endlessly|infinitely|without (?:ever )?stopping|in an infinite loop|until i (?:tell you to stop|stop you|say stop)|and never stop|infinite(?:ly)? many times|a million times|ad infinitum)`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT', FICTION: 'SILENT', EXPLAINED: 'SILENT' },
  ),
  headed(
    CODE,
    { response: 0.55, thinkingBlock: 0.55, prompt: 0.4, userInput: 0.4 },
    phrases.stuck,
    `(?: an?)?(?: infinite| endless| repeating)?(?: loop| ${words(3)}(?:the )?same (?:tool|call|function|error|result|action|step|request|arguments|command|query|response|thing))`,
    { NEGATED: 'SILENT', QUESTION: 'SILENT', FICTION: 'SILENT' },
  ),
];

/** Words that request or admit an endless loop, and code that spawns or calls endlessly. */
export const agentLoopPhrases = phraseDetector('agent-loop-phrases', 2, RULES);
