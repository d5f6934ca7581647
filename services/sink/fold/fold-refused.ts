import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import { LEDGER, PARTITIONS } from '#schemas/topics.ts';

const RESTORE =
  'The record was changed, or written by a faulty program. Find out what wrote it; later records are not stored until this is resolved.';

/** Why a ledger record cannot be folded, and what to do about it. */
const ADVICE = {
  UNDECODABLE: `it is not a readable ledger entry. ${RESTORE}`,
  SEALED:
    "its detail does not open. Restore the state (it holds the customers' keys) from its backup, or find who changed the record.",
  KEY_MISMATCH: `its customerId is not its key. ${RESTORE}`,
  WRONG_PARTITION: `its key does not belong to this partition. The topic must always have ${PARTITIONS} partitions; restore it with that number, or find the producer that partitions differently.`,
  PARTITION_COUNT: `the topic has more than ${PARTITIONS} partitions. Restore it with that number; any other moves customers to other ledgers.`,
  UNKNOWN_KIND: 'its kind is unknown. Upgrade the sink.',
  UNKNOWN_VERSION: 'its version is unknown. Upgrade the sink.',
  CORE_HASH: `its core does not match its coreHash. ${RESTORE}`,
  DETAIL_HASH: `its detail does not match its detailHash. ${RESTORE}`,
  COLUMNS: `its columns do not match its version. ${RESTORE}`,
  HEADERS: `its headers do not identify the audit. ${RESTORE}`,
} as const;
export type RefusalReason = keyof typeof ADVICE;

/**
 * A ledger record that must be neither folded nor skipped: which records are skipped would depend on the version of the
 * code, and the chain would fork at the next upgrade. The partition stops and turns red.
 */
export class FoldRefused extends PartitionFault {
  declare readonly offset: number;
  declare readonly reason: RefusalReason;
  constructor(partition: number, offset: number, reason: RefusalReason, what = '') {
    const detail = what === '' ? '' : ` (${what})`;
    super(
      'RECORD_REFUSED',
      reason,
      { topic: LEDGER.name, partition, offset },
      `${LEDGER.name}/${partition}: the record at offset ${offset} stops the partition: ${ADVICE[reason]}${detail}`,
    );
    this.name = 'FoldRefused';
  }
}
