import type { FailureCode } from '#schemas/vocabulary.ts';

interface FailureText {
  /** What happened. */
  readonly what: string;
  /** Whether a replay may help. */
  readonly advice: string;
}

const TEXTS: Readonly<Record<FailureCode, FailureText>> = {
  ANALYSIS_FAILED: {
    what: 'The analysis failed three times.',
    advice: 'Replay it once what failed works again.',
  },
  UNDECODABLE: {
    what: 'The record cannot be read by the release that tried it.',
    advice: 'Replay it after an upgrade.',
  },
  CANNOT_OPEN: {
    what: 'The sealed text could not be opened: a key, or a version of the sandbox, was missing.',
    advice: 'Replay it once that is there.',
  },
  KEY_DESTROYED: {
    what: 'The key of the sealed text was destroyed.',
    advice: 'A replay cannot help: nobody can open the text any more.',
  },
  CRASHED: {
    what: 'The analysis ended the process that ran it.',
    advice: 'Replay it after an upgrade, one first.',
  },
  LOST: {
    what: 'The audit got no result before its record was deleted.',
    advice: 'A replay helps only while the record is kept; hand it in again.',
  },
};

/** What is known of a reason; of one that another release knows, nothing. */
export const failureText = (code: string): FailureText =>
  Object.hasOwn(TEXTS, code) ? TEXTS[code as FailureCode] : { what: '', advice: '' };
