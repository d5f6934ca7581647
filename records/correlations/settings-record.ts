import { type CorrelationSettings, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, StoredDocument } from '#platform/state/port.ts';
import type { LedgerEvent } from '../changes/ledger-events.ts';

/** Document `CORRELATION_SETTINGS`, id = customer id: settings for correlating incoming signals. */
export interface StoredCorrelationSettings extends CorrelationSettings {
  /** Starts at 1; raised by each change, each of which is an entry of the ledger. */
  readonly version: number;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** Requests that made the last versions, the latest last, so that a repeat is not taken for a new change. */
  readonly changeIds: readonly string[];
}
export const CORRELATION_SETTINGS = 'correlationSettings';
export const CORRELATION_SETTINGS_COLLECTIONS: readonly Collection[] = [
  customerCollection(CORRELATION_SETTINGS, DELETED),
];

/** The document's name in the ids of its entries. */
export const SETTINGS_NAME = 'settings';

export const correlationSettingsRef = (customerId: string) => ({
  scope: customerId,
  collection: CORRELATION_SETTINGS,
  id: customerId,
});

/** null: the customer has never changed them. */
export const storedCorrelationSettings = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<StoredCorrelationSettings> | null> =>
  documents.get<StoredCorrelationSettings>(correlationSettingsRef(customerId));

export interface SettingsInForce extends CorrelationSettings {
  /** 0: never changed, the defaults apply. */
  readonly version: number;
  /** ISO 8601; null: never changed. */
  readonly updatedAt: string | null;
}

export const inForce = (stored: StoredCorrelationSettings | null): SettingsInForce => {
  if (stored === null) return { ...DEFAULT_SETTINGS, version: 0, updatedAt: null };
  const { changeIds: _changeIds, ...settings } = stored;
  return settings;
};

export const correlationSettings = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<SettingsInForce> =>
  inForce((await storedCorrelationSettings(documents, customerId))?.value ?? null);

/** The entry of a version. `actor`: the user who changed them, personal; null: an operator accepted an older state. */
export const correlationSettingsEvent = (
  customerId: string,
  { version, windowMinutes, minSignals, dimensions, updatedAt }: StoredCorrelationSettings,
  actor: string | null,
): LedgerEvent => ({
  kind: 'POLICY_EVENT',
  id: `${SETTINGS_NAME}:${version}`,
  customerId,
  at: updatedAt,
  core: { type: 'SETTINGS', version, windowMinutes, minSignals, dimensions },
  detail: { actor },
});
