import fc from 'fast-check';
import { draftEntry } from '#core/evidence/entry.ts';
import { servedCore, servedDetail } from '#core/evidence/served.ts';
import { looseDraft } from '#core/evidence/testing/loose-draft.ts';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { expect, test } from '#jest';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { ledgerRecord, openDetail } from '#platform/codec/ledger-record.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import type { KindVersion } from '#schemas/ledger/definition.ts';
import { ERASURE_SCOPES, type ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import { KINDS } from '#schemas/ledger/kinds.ts';
import { BLANK_CORE, BLANK_DETAIL } from '#schemas/ledger/signal-columns.ts';
import { contentOf, strangersOf } from '#schemas/ledger/testing/made-up.ts';
import { columnNames, type Table } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { LEDGER_KINDS } from '#schemas/vocabulary.ts';
import { foldBatch } from '../../services/sink/fold/fold-batch.ts';
import type { FoldRows } from '../../services/sink/fold/fold-rows.ts';
import type { LedgerRecord } from '../../services/sink/fold/ledger-record.ts';

/**
 * Entries of any version with any content are stored, served, verified and erased unchanged, and nothing else is
 * accepted.
 */

const CUSTOMER = '0190cccc-0000-7000-8000-00000000000c';
const codec = bundledCodec();
const keyring = openKeyring({ state: memoryState(), masterKey: Buffer.alloc(32, 9) });
const versions = Object.values(KINDS).flatMap(({ read }) => read);
const nameOf = ({ kind, v }: KindVersion): string => `${kind} v${v}`;

const timeAt = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_001).toISOString();

type Content = { readonly core: object; readonly detail: object };

/** The customer's n-th entry before it is drafted. Fields that a signal's core repeats agree with the entry. */
function given({ kind }: KindVersion, { core, detail }: Content, n: number) {
  const [id, at] = [`entry-${n}`, timeAt(n)];
  return {
    kind,
    id,
    at,
    customerId: CUSTOMER,
    core: kind === 'SIGNAL' ? { ...core, auditId: id, createdAt: at } : core,
    detail,
    coreSalt: Buffer.alloc(32, 2 * n + 1),
    detailSalt: Buffer.alloc(32, 2 * n + 2),
  };
}

const HEADERS = {
  auditId: 'any',
  customerId: CUSTOMER,
  acceptedAt: timeAt(0),
  generation: '0',
  attempt: '1',
  steps: '[]',
};

/** The draft sealed, encoded, decoded and opened, as between its producer and the fold. */
async function sent(draft: LedgerDraft, offset: number): Promise<LedgerRecord> {
  const record = await ledgerRecord(draft, { seal: keyring.seal, codec }, HEADERS);
  const entry = codec.decodeLedgerEntry(record.value);
  const { key, headers } = record;
  const detail = await openDetail(entry, keyring);
  return { partition: partitionOf(key, PARTITIONS), offset, key, headers, entry, detail };
}

const fold = (records: readonly LedgerRecord[]) =>
  foldBatch({
    epoch: 1,
    records,
    known: new Set(),
    cores: new Map(),
    heads: new Map(),
    targets: { signals: [], entries: [], audits: [] },
  });

/** Rows as the table returns them: only its columns, each converted through JSON. */
const stored = <Row extends object>(
  table: Table<Readonly<Record<string, string>>>,
  rows: readonly Row[],
): Row[] =>
  rows.map((row) => {
    const columns = columnNames(table);
    expect(Object.keys(row).sort()).toEqual([...columns].sort());
    const values = JSON.stringify(columns.map((name) => (row as Record<string, unknown>)[name]));
    return Object.fromEntries(
      (JSON.parse(values) as unknown[]).map((value, i) => [columns[i], value]),
    ) as Row;
  });

/** `isFolding`: the sink has reached the last entry but not stored its effects yet. */
function verified(rows: Pick<FoldRows, 'ledger' | 'signals' | 'entries'>, isFolding = false) {
  const [ledger, signals, entries] = [
    stored(LEDGER, rows.ledger),
    stored(SIGNALS, rows.signals),
    stored(ENTRIES, rows.entries),
  ];
  const last = ledger.at(-1);
  const verifier = createVerifier({
    customerId: CUSTOMER,
    ...(isFolding && last !== undefined ? { foldedBelow: last } : {}),
  });
  verifier.erasures(ledger, entries);
  verifier.chunk({ ledger, signals, entries });
  return verifier.finish();
}

/** The rows that reads return after tombstones hide the rows below them. */
const hidden = <Row extends { readonly index: number }>(
  rows: readonly Row[],
  tombstones: readonly Row[],
): Row[] => rows.map((row) => tombstones.find(({ index }) => index === row.index) ?? row);

const erasureOf = (entries: number, scope: ErasureScope): LedgerDraft => {
  const core = {
    ranges: [[0, entries - 1]],
    kinds: [...LEDGER_KINDS],
    scope,
    reason: 'DATA_SUBJECT_REQUEST',
    basis: null,
    policyId: null,
    closing: false,
  };
  return draftEntry(given(KINDS.ERASURE.emitted, { core, detail: { actor: 'platform' } }, entries));
};

function expectServed({ signals, entries }: FoldRows, contents: readonly Content[]): void {
  for (const row of stored(SIGNALS, signals)) {
    const { core, detail } = contents[row.index]!;
    expect({ core: servedCore(row), detail: servedDetail(row) }).toEqual({ core, detail });
  }
  for (const { index, core, detail } of stored(ENTRIES, entries)) {
    const content = contents[index];
    if (content === undefined) continue;
    const shown = { core: JSON.parse(core!), detail: JSON.parse(detail!) };
    expect(shown).toEqual({ core: content.core, detail: content.detail });
  }
}

function expectBlank({ signalTombstones, entryTombstones }: FoldRows, scope: ErasureScope): void {
  const blank = scope === 'ALL' ? { ...BLANK_CORE, ...BLANK_DETAIL } : BLANK_DETAIL;
  for (const row of signalTombstones) expect(row).toMatchObject({ ...blank, detailSalt: '' });
  for (const row of entryTombstones) {
    expect([row.detail, row.detailSalt]).toEqual([null, '']);
    if (scope === 'ALL') expect(row.core === null).toBe(row.kind !== 'ERASURE');
  }
}

test.each(versions.map((version) => [nameOf(version), version] as const))(
  '%s passes unchanged from its producer to its erasure, and the chain stays valid',
  async (_name, version) => {
    // An ERASURE that closes the customer would blank what follows.
    const most = version.kind === 'ERASURE' ? 1 : 4;
    const contents = fc.array(contentOf(version), { minLength: 1, maxLength: most });
    await fc.assert(
      fc.asyncProperty(contents, fc.constantFrom(...ERASURE_SCOPES), async (made, scope) => {
        const entries = made.map((content, n) => given(version, content, n));
        const drafts = [...entries.map((entry) => draftEntry(entry, version)), erasureOf(made.length, scope)];
        const records = await Promise.all(drafts.map((draft, n) => sent(draft, n)));
        const { rows, refused } = fold(records);
        expect(refused).toBeNull();
        expect(rows.ledger.map(({ v }) => v)).toEqual(drafts.map(({ v }) => v));
        expect(verified(rows, true)).toMatchObject({ status: 'VALID', errors: [], erasedSignals: 0 });
        expect(verified(rows)).toMatchObject({ status: 'INVALID', brokenAt: { reason: 'NOT_ERASED' } });
        expectServed(rows, entries);
        expectBlank(rows, scope);
        const signals = hidden(rows.signals, rows.signalTombstones);
        const others = hidden(rows.entries, rows.entryTombstones);
        expect(verified({ ledger: rows.ledger, signals, entries: others })).toMatchObject({
          status: 'VALID',
          errors: [],
          erasedSignals: signals.length,
        });
      }),
      { numRuns: 60 },
    );
  },
);

/** The content with one field missing, added, or of a different type. */
const disturbed = (
  { core, detail }: Content,
  { shapes }: KindVersion,
  seed: number,
  way: number,
): Content => {
  const inCore = seed % 2 === 0 || Object.keys(detail).length === 0;
  const part = (inCore ? core : detail) as Readonly<Record<string, unknown>>;
  const shape = shapes.find(
    (one) =>
      Object.keys(one.core).sort().join() === Object.keys(core).sort().join() &&
      (one.core.type?.holds((core as { type?: unknown }).type) ?? true),
  )!;
  const fields = inCore ? shape.core : shape.detail;
  const names = Object.keys(fields);
  const name = names[seed % names.length]!;
  const { [name]: _value, ...rest } = part;
  const strangers = strangersOf(fields[name]!.form);
  const changed = [rest, { ...part, more: null }, { ...part, [name]: strangers[way % strangers.length] }][
    way % 3
  ]!;
  return inCore ? { core: changed, detail } : { core, detail: changed };
};

test.each(versions.map((version) => [nameOf(version), version] as const))(
  '%s rejects an extra field, a missing one and one of another type',
  (_name, version) => {
    fc.assert(
      fc.property(contentOf(version), fc.nat(), fc.nat(), (made, seed, way) => {
        const { core, detail } = given(version, made, 1);
        const entry = { ...given(version, made, 1), ...disturbed({ core, detail }, version, seed, way) };
        expect(() => draftEntry(entry, version)).toThrow(TypeError);
      }),
      { numRuns: 300 },
    );
  },
);

/** Kinds emitted before they had a definition: the fold accepts any two objects of them. Do not add new kinds. */
const LOOSE = ['INCIDENT_EVENT', 'POLICY_EVENT', 'KEY_EVENT', 'AUDITOR_ACCESS', 'EVIDENCE_EVENT'];

/** The fold checks the fields of all other kinds, but those of a detail only if its shape is known without the core. */
function isChecked({ kind, shapes }: KindVersion, inDetail: boolean): boolean {
  if (LOOSE.includes(kind)) return false;
  return !inDetail || (kind !== 'ERASURE' && shapes.length === 1);
}

test.each(versions.map((version) => [nameOf(version), version] as const))(
  'the fold’s checks of a malformed %s are unchanged',
  async (_name, version) => {
    await fc.assert(
      fc.asyncProperty(contentOf(version), fc.nat(), fc.nat(), async (made, seed, way) => {
        const whole = given(version, made, 1);
        const content = disturbed(whole, version, seed, way);
        const inDetail = content.core === whole.core;
        const draft = draftedLoosely({ ...whole, ...content }, version.v);
        if (draft === null) return;
        const { refused } = fold([await sent(draft, 1)]);
        expect(refused?.reason ?? null).toBe(isChecked(version, inDetail) ? 'COLUMNS' : null);
      }),
      { numRuns: 100 },
    );
  },
);

/** Null if it has no canonical form, so that no log can contain it. */
function draftedLoosely(entry: ReturnType<typeof given>, v: number): LedgerDraft | null {
  try {
    return { ...looseDraft(entry), v };
  } catch {
    return null;
  }
}
