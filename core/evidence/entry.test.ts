import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { LedgerDraft } from '../../schemas/events/events.ts';
import { LEDGER_KINDS, type LedgerKind } from '../../schemas/vocabulary.ts';
import { draftEntry } from './entry.ts';
import { chainHash, dataHash, type Leaf, leafHash } from './hashing.ts';
import { CUSTOMER, saltOf, sampleCore, sampleDetail, sampleErasure, timeOf } from './testing/sample-chain.ts';

/** One committed entry per kind, version 1: bytes as hex. A changed figure here means a chain that no longer verifies. */
interface Fixture {
  readonly given: {
    readonly kind: LedgerKind;
    readonly id: string;
    readonly customerId: string;
    readonly at: string;
    readonly core: object;
    readonly detail: object;
    readonly coreSalt: string;
    readonly detailSalt: string;
  };
  readonly draft: Readonly<Record<keyof LedgerDraft, string | number>>;
  readonly leaf: Leaf;
  readonly leafHash: string;
  readonly previousHash: string;
  readonly hash: string;
}

const fixture = (kind: LedgerKind): Fixture =>
  JSON.parse(
    readFileSync(new URL(`../../schemas/events/fixtures/ledger/${kind}.v1.json`, import.meta.url), 'utf8'),
  ) as Fixture;
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const asHex = (draft: LedgerDraft): object =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]),
  );

test.each(LEDGER_KINDS)('%s, version 1, hashes as it always did', (kind) => {
  const { given, draft, leaf, leafHash: hashOfLeaf, previousHash, hash } = fixture(kind);
  const made = draftEntry({ ...given, coreSalt: bytes(given.coreSalt), detailSalt: bytes(given.detailSalt) });
  expect(asHex(made)).toEqual(draft);
  expect(leaf.dataHash).toBe(dataHash(made.coreHash, made.detailHash).toString('hex'));
  expect(leafHash(leaf).toString('hex')).toBe(hashOfLeaf);
  expect(chainHash(bytes(previousHash), bytes(hashOfLeaf)).toString('hex')).toBe(hash);
});

describe('entries that the ledger could not take are refused where they are made', () => {
  const signal = {
    kind: 'SIGNAL',
    id: sampleCore(1).auditId,
    customerId: CUSTOMER,
    at: timeOf(1),
    core: sampleCore(1),
    detail: sampleDetail(1),
    coreSalt: saltOf(1, 0),
    detailSalt: saltOf(1, 1),
  } as const;
  const erasure = { ...signal, kind: 'ERASURE', core: sampleErasure(), detail: {} } as const;
  const without = (core: object, name: string): object =>
    Object.fromEntries(Object.entries(core).filter(([key]) => key !== name));

  test('the samples themselves are taken', () => {
    expect(draftEntry(signal).v).toBe(1);
    expect(draftEntry(erasure).v).toBe(1);
  });
  test.each([
    ['a missing column', { ...signal, core: without(signal.core, 'regulation') }],
    ['a column of its own', { ...signal, core: { ...signal.core, note: 'x' } }],
    ['attempts above UInt16', { ...signal, core: { ...signal.core, attempts: 65_536 } }],
    ['a confidence that is not finite', { ...signal, core: { ...signal.core, confidence: Number.NaN } }],
    ['a fraction of a token', { ...signal, core: { ...signal.core, promptTokens: 1.5 } }],
    [
      'a time without milliseconds',
      { ...signal, core: { ...signal.core, acceptedAt: '2026-01-01T00:00:00Z' } },
    ],
    ['another createdAt than at', { ...signal, at: timeOf(2) }],
    ['another auditId than id', { ...signal, id: 'other' }],
    ['a lone surrogate', { ...signal, core: { ...signal.core, model: '\ud800' } }],
    ['a digest that is none', { ...signal, detail: { ...signal.detail, payloadDigest: 'abc' } }],
    ['a short salt', { ...signal, coreSalt: Buffer.alloc(16) }],
    ['no id', { ...erasure, id: '' }],
    [
      'too many targets',
      {
        ...erasure,
        core: sampleErasure({
          ranges: [
            [0, 2_499],
            [5_000, 7_500],
          ],
        }),
      },
    ],
    ['a range that runs backwards', { ...erasure, core: sampleErasure({ ranges: [[5, 4]] }) }],
    ['an unknown scope', { ...erasure, core: { ...sampleErasure(), scope: 'SOME' } }],
    ['an unknown kind to blank', { ...erasure, core: { ...sampleErasure(), kinds: ['OTHER'] } }],
    ['a detail that is no object', { ...erasure, detail: [] }],
  ])('%s', (_name, entry) => {
    expect(() => draftEntry(entry)).toThrow(TypeError);
  });
});
