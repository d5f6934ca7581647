import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { KINDS, versionOf } from '#schemas/ledger/kinds.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { draftEntry } from './entry.ts';
import { chainHash, dataHash, type Leaf, leafHash } from './hashing.ts';
import { looseDraft } from './testing/loose-draft.ts';
import { CUSTOMER, saltOf, sampleCore, sampleDetail, sampleErasure, timeOf } from './testing/sample-chain.ts';

/** A committed entry: bytes as hex. If one of these values changes, stored chains no longer verify. */
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

const FIXTURES = path.join(packageRoot(), 'schemas/ledger/fixtures');
const namesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.json'));
const fixture = (name: string, folder = FIXTURES): Fixture =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Fixture;
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const asHex = (draft: LedgerDraft): object =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]),
  );

function expectHashes(
  made: LedgerDraft,
  { draft, leaf, leafHash: ofLeaf, previousHash, hash }: Fixture,
): void {
  expect(asHex(made)).toEqual(draft);
  expect(leaf.dataHash).toBe(dataHash(made.coreHash, made.detailHash).toString('hex'));
  expect(leafHash(leaf).toString('hex')).toBe(ofLeaf);
  expect(chainHash(bytes(previousHash), bytes(ofLeaf)).toString('hex')).toBe(hash);
}

const withSalts = ({ given }: Fixture) => ({
  ...given,
  coreSalt: bytes(given.coreSalt),
  detailSalt: bytes(given.detailSalt),
});

test.each(namesIn(FIXTURES))('%s still has its original hashes', (name) => {
  const one = fixture(name);
  expectHashes(draftEntry(withSalts(one), versionOf(one.given.kind, Number(one.draft.v))!), one);
});

test('each shape of each version of a kind has such a fixture', () => {
  const given = namesIn(FIXTURES).map((name) => fixture(name));
  for (const { kind, v, shapes } of Object.values(KINDS).flatMap(({ read }) => read)) {
    const cores = given
      .filter(({ draft }) => draft.kind === kind && draft.v === v)
      .map((one) => one.given.core);
    for (const { core } of shapes) {
      const ofShape = cores.filter(
        (one) =>
          Object.keys(core).sort().join() === Object.keys(one).sort().join() &&
          (core.type?.holds((one as { type?: unknown }).type) ?? true),
      );
      expect([kind, v, Object.keys(core), ofShape.length > 0]).toEqual([kind, v, Object.keys(core), true]);
    }
  }
});

describe('entries from before their kind had a definition', () => {
  const objects = path.join(FIXTURES, 'objects');
  test.each(namesIn(objects))('%s keeps its hashes, and cannot be created any more', (name) => {
    const one = fixture(name, objects);
    expectHashes(looseDraft(withSalts(one)), one);
    expect(() => draftEntry(withSalts(one))).toThrow(TypeError);
  });
});

describe('entries that the ledger cannot take are rejected on creation', () => {
  const signal = {
    kind: 'SIGNAL',
    id: sampleCore(1).auditId,
    customerId: CUSTOMER,
    at: timeOf(1),
    core: sampleCore(1),
    detail: { ...sampleDetail(1), fingerprint: null },
    coreSalt: saltOf(1, 0),
    detailSalt: saltOf(1, 1),
  } as const;
  const erasure = {
    ...signal,
    kind: 'ERASURE',
    core: sampleErasure(),
    detail: { actor: 'platform' },
  } as const;
  const without = (core: object, name: string): object =>
    Object.fromEntries(Object.entries(core).filter(([key]) => key !== name));

  test('the samples themselves are accepted', () => {
    expect(draftEntry(signal).v).toBe(2);
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
