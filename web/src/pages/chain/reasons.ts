import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import { exactNumber } from '../../format/numbers.ts';

/** What each kind of fault means, in words. */
const REASONS: Readonly<Record<ChainFault['reason'], string>> = {
  MODIFIED: 'Entry changed after it was recorded',
  MISSING: 'Entry missing without an erasure record',
  EXTRA: 'Extra entry that was never recorded',
  REORDERED: 'Entry out of order',
  ROOT_MISMATCH: 'Entries don’t match the stored root hash of their block',
  CHAIN_LINK: 'Entry isn’t linked to the one before it',
  SIGNATURE: 'Checkpoint not signed by a key of this service',
  ROLLBACK: 'Entries truncated or rewritten since the last signed checkpoint',
  NOT_ERASED: 'Erased content has reappeared',
  DERIVED_CHANGED: 'The audit list, or another record derived from this entry, doesn’t match it',
  DAMAGED: 'Entries unreadable: warehouse files are changed or missing. Ask an operator to restore them',
  DOCUMENT_CHANGED: 'The record of this entry was changed outside the service',
};

/** A reason added by a newer release is spelled out in words. */
export const reasonOf = (reason: string): string =>
  Object.hasOwn(REASONS, reason)
    ? REASONS[reason as ChainFault['reason']]
    : reason.replaceAll('_', ' ').toLowerCase();

/** The entry or entries that a fault concerns. */
export const entriesOf = ({ index, toIndex }: Pick<ChainFault, 'index' | 'toIndex'>): string =>
  toIndex === undefined || toIndex === index
    ? exactNumber(index)
    : `${exactNumber(index)} to ${exactNumber(toIndex)}`;

/** Whether an entry's id can be a signal's: ids of other kinds are longer. */
export const isSignalId = (id: string | null): id is string => id !== null && isId(id.toLowerCase());
