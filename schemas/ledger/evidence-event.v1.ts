import { defineVersion } from './definition.ts';
import { count, hash, nullable, number, oneOf, text, textUpTo, time } from './field-types.ts';

/** An operator accepted the loss of records. */
export const LOSS_ACCEPTED_SHAPE = {
  core: {
    type: oneOf('LOSS_ACCEPTED'),
    epoch: count,
    topic: text,
    partition: count,
    offset: count,
    /** First offset that is not lost. */
    untilOffset: count,
    /** SHA-256 of the record, hex; '' for missing records. */
    digest: text,
    /** Why the record could not be stored, such as CORE_HASH. */
    cause: text,
    at: time,
  },
  detail: { reason: text, actor: text },
} as const;

/** The actor; null for the service itself. */
const BY_SOMEBODY = { actor: nullable(text) } as const;
/** A signed note; its last line ends with a line break. */
const note = textUpTo(8_192);

/** An evidence package was created. */
const PACKAGE_SHAPE = {
  core: {
    type: oneOf('PACKAGE'),
    packageId: text,
    framework: text,
    periodStart: time,
    periodEnd: time,
    sha256: hash,
    sizeBytes: count,
    checkpoint: note,
  },
  detail: BY_SOMEBODY,
} as const;

/** A verification of the chain has finished. */
const VERIFICATION_SHAPE = {
  core: {
    type: oneOf('VERIFICATION'),
    verificationId: text,
    mode: oneOf('full', 'incremental', 'range'),
    status: oneOf('VALID', 'INVALID', 'EMPTY'),
    treeSize: count,
    chainHead: nullable(hash),
    /** Share of the entries that were rehashed, 0 to 1. */
    coverage: number,
  },
  detail: BY_SOMEBODY,
} as const;

/** A run of the retention policies has finished. */
const RETENTION_RUN_SHAPE = {
  core: {
    type: oneOf('RETENTION_RUN'),
    runId: text,
    startedAt: time,
    erased: count,
    anonymized: count,
    held: count,
  },
  detail: BY_SOMEBODY,
} as const;

/** An operator resumed operation although the ledger lacks signed entries. */
export const RESTORE_SHAPE = {
  core: { type: oneOf('RESTORE'), epoch: count, treeSize: count, lostCheckpoint: note },
  detail: { ...BY_SOMEBODY, reason: text },
} as const;

/**
 * Events about the evidence itself. LOSS_ACCEPTED, PACKAGE and RESTORE are emitted, and so final; the others may change
 * until they are emitted.
 */
export const EVIDENCE_EVENT_V1 = defineVersion({
  kind: 'EVIDENCE_EVENT',
  v: 1,
  shapes: [LOSS_ACCEPTED_SHAPE, PACKAGE_SHAPE, VERIFICATION_SHAPE, RETENTION_RUN_SHAPE, RESTORE_SHAPE],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
