import { draftEntry } from '#core/evidence/entry.ts';
import { ledgerRecord } from '#platform/codec/ledger-record.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { Sealer } from '#platform/sealing/port.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { EntryMaker } from './ledger-events.ts';

const SALT_BYTES = 32;

/** Combines what the directory must not depend on: hashing (core), sealing and framing (platform). */
export function entryMaker(dependencies: {
  readonly keyring: Pick<Sealer, 'seal'>;
  readonly codec: Codec;
  readonly randomBytes: (size: number) => Buffer;
}): EntryMaker {
  return async (event, headers = {}) => {
    const draft = draftEntry({
      ...event,
      coreSalt: dependencies.randomBytes(SALT_BYTES),
      detailSalt: dependencies.randomBytes(SALT_BYTES),
    });
    const record = await ledgerRecord(
      draft,
      { seal: (...sealed) => dependencies.keyring.seal(...sealed), codec: dependencies.codec },
      { ...headers, customerId: event.customerId },
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
