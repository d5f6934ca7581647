import { Undecodable } from '#platform/codec/port.ts';
import { CannotOpen, KeyDestroyed } from '#platform/sealing/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import { UnknownSandboxVersion } from '#records/sandboxes/sandbox-versions.ts';
import type { FailureCode } from '#schemas/vocabulary.ts';
import { MalformedText } from './malformed-text.ts';

/**
 * Outcome of a failed analysis. A fault in the record itself (it cannot be decoded, opened or judged) will not go away,
 * so the record goes to the dead letters at once; anything else is worth another attempt.
 */
export function failureOf(error: unknown, stage: string, startedAt: number): Outcome {
  const errorClass = error instanceof Error ? error.name : typeof error;
  const code = poisonCode(error);
  const failure = { code: code ?? 'ANALYSIS_FAILED', stage, errorClass, startedAt } as const;
  return { kind: code === null ? 'retry' : 'deadLetter', failure };
}

function poisonCode(error: unknown): FailureCode | null {
  if (error instanceof Undecodable || error instanceof MalformedText) return 'UNDECODABLE';
  if (error instanceof KeyDestroyed) return 'KEY_DESTROYED';
  if (error instanceof CannotOpen || error instanceof UnknownSandboxVersion) return 'CANNOT_OPEN';
  return null;
}
