import type { AdmittedAudits, AdmittedCount } from '../admitted-audits.ts';
import { CUSTOMERS, type CustomerAdmission } from '../port.ts';
import type { DocumentReader } from './documents.ts';
import type { Store } from './store/store.ts';

/** How many audits of each customer were admitted, in one small row per customer. Write only inside `Store.write`. */
export interface AdmittedCounts {
  get(customerId: string): AdmittedCount | undefined;
  add(admitted: readonly AdmittedAudits[]): void;
  remove(customerId: string): void;
}

const MINUTE_MS = 60_000;

export function createAdmittedCounts(store: Store, documents: DocumentReader): AdmittedCounts {
  const rows = store.table<AdmittedCount>('admitted-counts');
  /** A customer that is being erased gets no new count. */
  const isActive = (customerId: string): boolean =>
    documents.document<CustomerAdmission>({ scope: customerId, collection: CUSTOMERS, id: customerId })
      ?.active === true;
  return {
    get: (customerId) => rows.get(customerId),
    add(admitted) {
      // A write does not see its own puts, so each customer's row is put once.
      const after = new Map<string, AdmittedCount>();
      for (const one of admitted) {
        const { customerId } = one;
        if (!isActive(customerId)) continue;
        const before = after.get(customerId) ?? rows.get(customerId);
        after.set(customerId, counted(before, one));
      }
      for (const [customerId, row] of after) rows.put(customerId, row);
    },
    remove: (customerId) => rows.remove(customerId),
  };
}

/** The row after counting, or the same row when these audits do not count. */
function counted(
  before: AdmittedCount | undefined,
  { epoch, acceptedAt, count }: AdmittedAudits,
): AdmittedCount {
  const current =
    before === undefined || before.epoch < epoch ? { epoch, since: acceptedAt, total: 0 } : before;
  if (current.epoch > epoch || acceptedAt < current.since - MINUTE_MS) return current;
  return { epoch, since: Math.min(current.since, acceptedAt), total: current.total + count };
}
