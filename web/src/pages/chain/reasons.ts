import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import { exactNumber } from '../../format/numbers.ts';

/** What each kind of fault means, for those who do not know the words. */
const REASONS: Readonly<Record<ChainFault['reason'], string>> = {
  MODIFIED: 'what is stored is not what was hashed: it was changed afterwards',
  MISSING: 'the entry is gone, and no erasure explains it',
  EXTRA: 'there is an entry that was never added',
  REORDERED: 'the entry stands in another place than it was added at',
  ROOT_MISMATCH: 'the entries of this block do not lead to the root that was stored of it',
  CHAIN_LINK: 'the entry does not go on from the one before it',
  SIGNATURE: 'a checkpoint is not signed by a key of the service',
  ROLLBACK: 'the ledger does not go on from its last signed checkpoint: entries were cut off or written anew',
  NOT_ERASED: 'what an erasure took away is there again',
  DERIVED_CHANGED: 'the audit list, or another row made from this entry, does not say what the entry says',
  DAMAGED:
    'these entries cannot be read: files of the warehouse are changed or missing; an operator restores them',
  DOCUMENT_CHANGED:
    'the record that this entry stands for is not what the entry says, or not what the service wrote: somebody else changed it',
};

/** The bare word of a reason that another release knows. */
export const reasonOf = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as ChainFault['reason']] : reason;

/** The entry, or the entries, that a fault is about. */
export const placeOf = ({ index, toIndex }: Pick<ChainFault, 'index' | 'toIndex'>): string =>
  toIndex === undefined || toIndex === index
    ? exactNumber(index)
    : `${exactNumber(index)} to ${exactNumber(toIndex)}`;

/** Whether the id of an entry can be that of a signal: of other kinds it is longer. */
export const isSignalId = (id: string | null): id is string => id !== null && isId(id.toLowerCase());
