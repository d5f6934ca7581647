import type { ReplayRefusal } from '#schemas/api/dead-letters.ts';
import { inSentence, label } from '../../labels/label.ts';

const TEXTS: Readonly<Record<ReplayRefusal, string>> = {
  ALREADY_REPLAYED: 'already being replayed',
  KEY_DESTROYED: 'its encryption key was destroyed',
  RECORD_GONE: 'its record has expired',
  REPLAY_LIMIT: 'it failed 100 replays',
  ERASED: 'it is being erased',
};

/** Why an audit was not replayed. */
export const refusalText = (reason: string): string =>
  Object.hasOwn(TEXTS, reason) ? TEXTS[reason as ReplayRefusal] : inSentence(label('replayRefusal', reason));
