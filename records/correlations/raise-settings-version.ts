import { laterOf } from '../changes/ledger-events.ts';
import { usageOf } from '../changes/measure-records.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
import { usageWrite } from '../changes/record-usage.ts';
import { settingsCharge } from './change-settings.ts';
import {
  correlationSettingsEvent,
  correlationSettingsRef,
  type StoredCorrelationSettings,
} from './settings-record.ts';

/** Makes a version above the ledger's with the state's settings: changes in between are given up. */
export function raiseSettingsVersion(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<StoredCorrelationSettings>(
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
