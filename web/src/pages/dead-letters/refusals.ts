import type { ReplayRefusal } from '#schemas/api/dead-letters.ts';

const TEXTS: Readonly<Record<ReplayRefusal, string>> = {
  ALREADY_REPLAYED: 'a replay of it is under way',
  KEY_DESTROYED: 'the key of its text was destroyed',
  RECORD_GONE: 'its record is no longer kept',
  REPLAY_LIMIT: 'it failed a hundred replays',
  ERASED: 'it is being erased',
};

/** Why a dead letter was not replayed; the bare word of a reason that another release knows. */
export const refusalText = (reason: string): string =>
  Object.hasOwn(TEXTS, reason) ? TEXTS[reason as ReplayRefusal] : reason;
