import type { FailureCode } from '#schemas/vocabulary.ts';

interface FailureText {
  /** What happened. */
  readonly what: string;
  /** Whether a replay may help. */
  readonly advice: string;
}

const TEXTS: Readonly<Record<FailureCode, FailureText>> = {
  ANALYSIS_FAILED: {
    what: 'All three attempts failed.',
    advice: 'Fix the cause, then replay.',
  },
  UNDECODABLE: {
    what: 'This release couldn’t decode the record.',
    advice: 'Upgrade, then replay.',
  },
  CANNOT_OPEN: {
    what: 'A key or a sandbox version was missing.',
    advice: 'Restore it, then replay.',
  },
  KEY_DESTROYED: {
    what: 'The text can no longer be decrypted.',
    advice: 'Replaying can’t help.',
  },
  CRASHED: {
    what: 'Analysis crashed the process that ran it.',
    advice: 'Upgrade, then replay one as a test.',
  },
  LOST: {
    what: 'The record expired before the audit had a result.',
    advice: 'Send the audit again.',
  },
};

/** The text for a reason; empty for an unknown one from another release. */
export const failureText = (code: string): FailureText =>
  Object.hasOwn(TEXTS, code) ? TEXTS[code as FailureCode] : { what: '', advice: '' };
