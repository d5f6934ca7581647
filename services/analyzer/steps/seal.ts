import { ledgerRecord } from '#platform/codec/ledger-record.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import type { Sealer } from '#platform/sealing/port.ts';
import type { Audit, AuditBatch } from './audits.ts';
import { draftSignal } from './draft-signal.ts';
import type { Fingerprinted } from './fingerprint.ts';
import { signalHeaders } from './signal-headers.ts';

interface SealDependencies {
  readonly codec: Codec;
  readonly keyring: Pick<Sealer, 'seal'>;
  /** Unix ms. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Buffer;
}

/** The ledger record of each signal: drafted, hashed, and its detail sealed under the customer's key. */
export function sealStep({ codec, keyring, now, randomBytes }: SealDependencies) {
  const seal = (audit: Audit<Fingerprinted>): Promise<LogRecord> => {
    const { record, attempt, startedAt, workedMs, known } = audit;
    const facts = { attempts: attempt, durationMs: workedMs, createdAt: now() };
    const draft = draftSignal(known, facts, randomBytes);
    const headers = signalHeaders(record, known.triplet, startedAt);
    return ledgerRecord(draft, { seal: keyring.seal, codec }, headers);
  };
  return (batch: AuditBatch, fingerprinted: readonly Audit<Fingerprinted>[]): Promise<Audit<LogRecord>[]> =>
    batch.each({ part: 'emit', stage: 'seal' }, fingerprinted, seal);
}
