import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { usageWrite } from '../record-usage.ts';
import { settingsCharge } from './change-settings.ts';
import {
  CORRELATION_SETTINGS,
  correlationSettingsEvent,
  type StoredCorrelationSettings,
  storedCorrelationSettings,
} from './settings-record.ts';

/** Makes a version above the ledger's with the state's settings: changes made in between are given up. */
export async function liftCorrelationSettings(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await storedCorrelationSettings(documents, customerId);
    if (stored === null || stored.value.version > ledgerVersion) return;
    const { value: before } = stored;
    const value: StoredCorrelationSettings = {
      ...before,
      version: ledgerVersion + 1,
      updatedAt: laterOf(new Date(now()).toISOString(), before.updatedAt),
    };
    const entries = [await makeEntry(correlationSettingsEvent(customerId, value, null))];
    const usage = await usageOf(documents, customerId);
    const outcome = await documents.write(customerId, [
      { collection: CORRELATION_SETTINGS, id: customerId, expectedVersion: stored.version, value, entries },
      usageWrite(customerId, usage, settingsCharge(value, before)),
    ]);
    if (outcome.ok) return;
  }
}
