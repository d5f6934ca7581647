import { draftEntry } from '../../../core/evidence/entry.ts';
import { ledgerRecord } from '../../../platform/codec/ledger-record.ts';
import type { EntryMaker } from '../../../platform/directory/ledger-events.ts';
import { entryIdOf } from '../../../schemas/events/events.ts';
import type { ApiParts } from '../parts.ts';

const SALT_BYTES = 32;

/** Joins what the directory may not know: hashing (core), sealing and framing (platform). */
export function entryMaker(parts: Pick<ApiParts, 'keyring' | 'codec' | 'randomBytes'>): EntryMaker {
  return async (event) => {
    const draft = draftEntry({
      ...event,
      coreSalt: parts.randomBytes(SALT_BYTES),
      detailSalt: parts.randomBytes(SALT_BYTES),
    });
    const record = await ledgerRecord(
      draft,
      { seal: (...sealed) => parts.keyring.seal(...sealed), codec: parts.codec },
      { customerId: event.customerId },
    );
    return {
      entryId: entryIdOf(event.kind, event.id),
      topic: record.topic,
      key: record.key,
      valueBase64: record.value.toString('base64'),
      headers: record.headers,
    };
  };
}
