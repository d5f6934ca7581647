import { laterOf } from '../changes/ledger-events.ts';
import { usageOf } from '../changes/measure-records.ts';
import { type LiftDependencies, liftDocument, type OlderDocument } from '../changes/older-document.ts';
import { usageWrite } from '../changes/record-usage.ts';
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
