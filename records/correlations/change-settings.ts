import { isDeepStrictEqual } from 'node:util';
import { type CorrelationSettings, checkSettings, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { CUSTOMERS, type Documents, type DocumentWrite } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { type Announce, type EntryMaker, laterOf } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import { lostRef } from '../changes/older-document.ts';
import { bytesOf, type Charge } from '../changes/record-usage.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import {
  correlationSettingsEvent,
  correlationSettingsRef,
  inForce,
  SETTINGS_NAME,
  type SettingsInForce,
  type StoredCorrelationSettings,
} from './settings-record.ts';

/** Requests whose repeats are recognised. */
export const REMEMBERED_CHANGES = 20;

interface SettingsDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

interface SettingsChange {
  readonly customerId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the request, by which a repeat finds its result. */
  readonly changeId: string;
  /** The user who makes the change; personal. */
  readonly actor: string;
  readonly budget: RecordBudget;
  /** Omitted fields stay unchanged. */
  readonly change: Partial<CorrelationSettings>;
}

type ChangedSettings =
  | { readonly ok: true; readonly settings: SettingsInForce }
  | { readonly ok: false; readonly reason: 'ERASED' }
  | OverBudget;

/**
 * Changes the correlation settings and adds an entry, in one atomic write; they apply from the entry's index. A change
 * without effect writes nothing, and a repeat returns the result of the first attempt. Concurrent changes are applied
 * one after the other. Throws a RangeError on settings that no customer may have.
 */
export function changeCorrelationSettings(
  dependencies: SettingsDependencies,
  { customerId, at, changeId, actor, budget, change }: SettingsChange,
): Promise<ChangedSettings> {
  const { documents, makeEntry } = dependencies;
  const ref = correlationSettingsRef(customerId);
  return changeDocument<StoredCorrelationSettings, ChangedSettings>(dependencies, ref, async (stored) => {
    const unerased = await unerasedCustomer(documents, customerId);
    if (unerased === null) return unchanged({ ok: false, reason: 'ERASED' });
    const before = stored?.value ?? null;
    const lost = before === null ? await lostVersion(documents, customerId) : 0;
    if (before?.changeIds.includes(changeId)) return unchanged({ ok: true, settings: inForce(before) });
    const next = changed(before, change);
    // If the state has lost settings, the ledger's differ from those that the state shows.
    if (lost === 0 && isDeepStrictEqual(next, settingsOf(before ?? DEFAULT_SETTINGS)))
      return unchanged({ ok: true, settings: inForce(before) });
    checkSettings(next);
    const value: StoredCorrelationSettings = {
      ...next,
      version: (before?.version ?? lost) + 1,
      updatedAt: before === null ? at : laterOf(at, before.updatedAt),
      changeIds: [...(before?.changeIds ?? []), changeId].slice(-REMEMBERED_CHANGES),
    };
    const charge = settingsCharge(value, before);
    const charged = await chargedWrite(documents, customerId, charge, budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value,
      entries: [await makeEntry(correlationSettingsEvent(customerId, value, actor))],
      others: [charged.write, unerased],
      result: { ok: true, settings: inForce(value) },
    };
  });
}

/** What a version adds to the usage of the customer's records. */
export const settingsCharge = (
  settings: StoredCorrelationSettings,
  before: StoredCorrelationSettings | null,
): Charge => ({
  at: settings.updatedAt,
  bytes: bytesOf(settings) - (before === null ? 0 : bytesOf(before)),
  versions: 1,
});

const settingsOf = ({ windowMinutes, minSignals, dimensions }: CorrelationSettings): CorrelationSettings => ({
  windowMinutes,
  minSignals,
  dimensions: [...dimensions],
});

function changed(
  before: CorrelationSettings | null,
  { windowMinutes, minSignals, dimensions }: Partial<CorrelationSettings>,
): CorrelationSettings {
  const { windowMinutes: minutes, minSignals: least, dimensions: all } = before ?? DEFAULT_SETTINGS;
  return settingsOf({
    windowMinutes: windowMinutes ?? minutes,
    minSignals: minSignals ?? least,
    dimensions: dimensions ?? all,
  });
}

/** The version that an operator gave up for settings missing in the state; 0: none. */
async function lostVersion(documents: Documents, customerId: string): Promise<number> {
  const ref = lostRef('POLICY_EVENT', correlationSettingsRef(customerId), SETTINGS_NAME);
  return (await documents.get<number>(ref))?.value ?? 0;
}

/**
 * Part of the write: an erasure that starts in the meantime would miss what is written now. null: the customer does not
 * exist or is being erased.
 */
async function unerasedCustomer(documents: Documents, customerId: string): Promise<DocumentWrite | null> {
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  const customer = await documents.get<CustomerRecord>(ref);
  if (customer === null || customer.value.erasure !== undefined) return null;
  const { version: expectedVersion } = customer;
  return { collection: CUSTOMERS, id: customerId, expectedVersion, value: null, unchanged: true };
}
