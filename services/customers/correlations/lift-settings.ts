import { type LiftDependencies, liftDocument, type OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { usageWrite } from '../record-usage.ts';
import { settingsCharge } from './change-settings.ts';
import {
  correlationSettingsEvent,
  correlationSettingsRef,
  type StoredCorrelationSettings,
} from './settings-record.ts';

/** Makes a version above the ledger's with the state's settings: changes made in between are given up. */
export function liftCorrelationSettings(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  return liftDocument<StoredCorrelationSettings>(
    { documents },
    {
      ref: correlationSettingsRef(customerId),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
        const value = { ...before, version: ledgerVersion + 1, updatedAt };
        const usage = await usageOf(documents, customerId);
        return {
          value,
          entries: [await makeEntry(correlationSettingsEvent(customerId, value, null))],
          others: [usageWrite(customerId, usage, settingsCharge(value, before))],
        };
      },
    },
  );
}
