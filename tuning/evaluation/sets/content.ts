import type { BehaviourCase } from './behaviour.ts';
import topics from './content.json' with { type: 'json' };

interface Topic {
  readonly code: BehaviourCase['code'];
  readonly role: 'prompt' | 'response' | 'thinkingBlock';
  readonly positive: readonly string[];
  readonly contrast: readonly string[];
  readonly slots?: Readonly<Record<string, readonly string[]>>;
}

/** For scoring, not for tuning, as in `behaviour.ts`. */
export const CONTENT_TOPICS = topics.content as readonly Topic[];
export const TRUST_TOPICS = topics.trust as readonly Topic[];
