import { describe, expect, test } from '#jest';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { CannotOpen, KeyAbsent } from '#platform/sealing/port.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { bundledCodec } from './bundled.ts';
import { ledgerRecord, openDetail } from './ledger-record.ts';

const DRAFT: LedgerDraft = {
  v: 1,
  kind: 'SIGNAL',
  id: 'a1',
  customerId: 'alice',
  at: '2026-11-21T10:00:00.000Z',
  coreSalt: Buffer.alloc(32, 1),
  core: '{"auditId":"a1"}',
  coreHash: Buffer.alloc(32, 2),
  detailHash: Buffer.alloc(32, 3),
  detailSalt: Buffer.alloc(32, 4),
  detail: '{"reasoning":"umlaut ü, canary"}',
};
const codec = bundledCodec();
const keyringOf = (state = memoryState()) => openKeyring({ state, masterKey: Buffer.alloc(32, 9) });

describe('ledgerRecord and openDetail', () => {
  test('the record is keyed by customer, and its detail can only be opened with the key that sealed it', async () => {
    const keyring = keyringOf();
    const record = await ledgerRecord(
      DRAFT,
      { seal: keyring.seal, codec },
      { auditId: 'a1', schema: 'other' },
    );
    expect(record).toMatchObject({
      topic: 'audit.ledger',
      key: 'alice',
      headers: { auditId: 'a1', schema: 'cas.v1.LedgerEntry' },
    });
    expect(record.value.includes('canary')).toBe(false);
    expect(record.value.includes(DRAFT.detailSalt)).toBe(false);
    const entry = codec.decodeLedgerEntry(record.value);
    expect(await openDetail(entry, keyring)).toEqual({ salt: DRAFT.detailSalt, json: DRAFT.detail });
    await expect(openDetail({ ...entry, id: 'a2' }, keyring)).rejects.toThrow(CannotOpen);
  });

  test('a destroyed key is a result, an absent one an error', async () => {
    const keyring = keyringOf();
    const record = await ledgerRecord(DRAFT, { seal: keyring.seal, codec }, {});
    const entry = codec.decodeLedgerEntry(record.value);
    await keyring.destroy('alice');
    expect(await openDetail(entry, keyring)).toBe('DESTROYED');
    await expect(openDetail(entry, keyringOf())).rejects.toThrow(KeyAbsent);
  });
});
