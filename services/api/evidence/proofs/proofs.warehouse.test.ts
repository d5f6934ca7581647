import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { parseCheckpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { openNote } from '#core/evidence/checkpoint/signed-note.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { coreHash, dataHash, detailHash, leafHash } from '#core/evidence/hashing.ts';
import { sampleCore, sampleDetail } from '#core/evidence/testing/sample-chain.ts';
import { isConsistent, rootFromInclusion } from '#core/evidence/tree/verify-proofs.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { AUDITS, CHECKPOINTS, LEDGER, LEDGER_IDS, POSITIONS, SIGNALS } from '#schemas/tables/tables.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import {
  rootAt,
  type SignalChain,
  signalChain,
  storeChain,
  storeDerived,
  storeLedgerPosition,
} from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

const CHAIN = '/evidence/hash-chain';

let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

let customer: Awaited<ReturnType<StoredWorld['harness']['customer']>>;
beforeEach(async () => {
  await world.real.clear();
  customer = await world.harness.customer();
});

const get = (path: string, headers = customer.headers) =>
  world.harness.call({ url: `${CHAIN}${path}`, headers });
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const chain = (size: number, other?: number): SignalChain => signalChain(customer.id, size, other);

async function store(rows: SignalChain, from = 0): Promise<void> {
  await storeChain(world, customer.id, rows, from);
  await growTree(world.real.warehouse, customer.id, rows.ledger.length);
}

const storePosition = (entries: number): Promise<void> => storeLedgerPosition(world, customer.id, entries);

/** The checkpoint of a note, after checking its signature with the published key. */
async function opened(note: string) {
  const keys = await get('/keys');
  const key = parseVerifierKey(keys.body.data[0].vkey)!;
  return parseCheckpoint(openNote(note, [key])!.text)!;
}

describe('the checkpoint', () => {
  test('is signed over what is stored, and unchanged until there is more', async () => {
    const rows = chain(600);
    await store(rows);
    const answer = await get('/checkpoint');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      origin: `compliance-audit-service/${customer.id}`,
      treeSize: 600,
      rootHash: rootAt(rows, 600),
      chainHead: rows.ledger.at(-1)!.hash,
    });
    expect(await opened(answer.body.data.note)).toEqual({
      origin: answer.body.data.origin,
      size: 600,
      root: bytes(answer.body.data.rootHash),
      chainHead: bytes(answer.body.data.chainHead),
      epoch: null,
    });
    expect((await get('/checkpoint')).body).toEqual(answer.body);
  });

  test('is part of every verification', async () => {
    const rows = chain(300);
    await store(rows);
    const { data } = (await get('/verify')).body;
    expect(data).toMatchObject({ status: 'VALID', treeSize: 300, rootHash: rootAt(rows, 300) });
    expect(await opened(data.checkpoint)).toMatchObject({ size: 300, root: bytes(data.rootHash) });
    expect(data.notCovered[0]).toContain('Entries truncated from the end');
    expect((await get('/verify')).body.data.notCovered[0]).toContain('newer than the last signed checkpoint');
  });

  test('covers everything below the sink’s positions, and nothing above', async () => {
    const rows = chain(10);
    await store(rows);
    await world.real.clear();
    await world.real.insert(LEDGER, rows.ledger);
    await storePosition(7);
    const { body } = await get('/checkpoint');
    expect(body.data).toMatchObject({ treeSize: 7, rootHash: rootAt(rows, 7) });
  });

  test('is missing for an empty ledger', async () => {
    const { status, body } = await get('/checkpoint');
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('is signed once for many concurrent requests', async () => {
    await store(chain(20));
    const answers = await Promise.all(Array.from({ length: 8 }, () => get('/checkpoint')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.data.note)).size).toBe(1);
  });

  test('uses leaves while subtrees are missing', async () => {
    const rows = chain(700);
    await storeChain(world, customer.id, rows);
    await growTree(world.real.warehouse, customer.id, 300);
    expect((await get('/checkpoint')).body.data).toMatchObject({
      treeSize: 700,
      rootHash: rootAt(rows, 700),
    });
  });

  test('is unavailable with Retry-After while many subtrees are missing after an upgrade', async () => {
    const size = 16_640;
    const { ledger } = chain(size);
    await world.real.insert(LEDGER, ledger);
    await storePosition(size);
    const { status, headers } = await get('/checkpoint');
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await growTree(world.real.warehouse, customer.id, size);
    expect((await get('/checkpoint')).body.data).toMatchObject({ treeSize: size });
  }, 60_000);
});

describe('a ledger that does not continue its last checkpoint', () => {
  /** Signs a checkpoint over 40 entries, and then replaces the ledger. */
  async function replacedBy(other: SignalChain, { isStateLost = false, isRowLost = false } = {}) {
    await store(chain(40));
    const { body } = await get('/checkpoint');
    for (const { name } of [LEDGER, POSITIONS, SIGNALS, LEDGER_IDS, AUDITS])
      await world.real.warehouse.command(`TRUNCATE TABLE ${name}`);
    if (isRowLost) await world.real.warehouse.command(`TRUNCATE TABLE ${CHECKPOINTS.name}`);
    if (isStateLost)
      await world.harness.dependencies.state.documents.write(customer.id, [
        { collection: 'checkpoints', id: 'last', value: null },
      ]);
    await world.real.insert(LEDGER, other.ledger);
    await world.real.insert(SIGNALS, other.signals);
    await storeDerived(world, other);
    await storePosition(other.ledger.length);
    return body.data;
  }

  async function expectRefused(size: number): Promise<void> {
    for (const path of ['/checkpoint', '/proofs/consistency?fromSize=1']) {
      const { status, body } = await get(path);
      expect([status, body.code]).toEqual([409, 'LEDGER_ROLLED_BACK']);
    }
    const verified = (await get('/verify')).body.data;
    expect(verified).toMatchObject({
      status: 'INVALID',
      errors: [{ index: Math.min(size, 39), id: null, reason: 'ROLLBACK' }],
    });
    expect(await opened(verified.checkpoint)).toMatchObject({ size: 40 });
  }

  const ways: Readonly<Record<string, () => SignalChain>> = {
    'its end was cut off': () => chain(39),
    'it is gone': () => chain(0),
    'its last entry was rewritten': () => chain(40, 39),
    'all of it was rewritten, with right hashes': () => chain(40, 0),
    'it was rewritten and has grown': () => chain(60, 20),
  };
  for (const [name, other] of Object.entries(ways))
    test(`is refused, whether its state or its row is lost too: ${name}`, async () => {
      await replacedBy(other());
      await expectRefused(other().ledger.length);
      const { documents } = world.harness.dependencies.state;
      const last = { collection: 'checkpoints', id: 'last' };
      const signed = await documents.get<object>({ scope: customer.id, ...last });
      await documents.write(customer.id, [{ ...last, value: null }]);
      await expectRefused(other().ledger.length);
      await documents.write(customer.id, [{ ...last, value: signed!.value }]);
      await world.real.warehouse.command(`TRUNCATE TABLE ${CHECKPOINTS.name}`);
      await expectRefused(other().ledger.length);
    });

  test('verifies if rewritten with all of its signatures: only a note kept elsewhere shows it', async () => {
    const other = chain(50, 0);
    const kept = await opened((await replacedBy(other, { isStateLost: true, isRowLost: true })).note);
    const { data } = (await get('/verify')).body;
    expect(data).toMatchObject({ status: 'VALID', treeSize: 50 });
    const proof = (await get('/proofs/consistency?fromSize=40')).body.data;
    const newer = await opened(proof.checkpoint);
    expect(newer).toMatchObject({ size: 50, root: bytes(rootAt(other, 50)) });
    expect(isConsistent(kept!, newer!, proof.hashes.map(bytes))).toBe(false);
  });

  test('is signed again once the original rows are back', async () => {
    const before = await replacedBy(chain(39));
    await world.real.insert(LEDGER, chain(40).ledger);
    await world.real.insert(SIGNALS, chain(40).signals.slice(39));
    await storeDerived(world, { ledger: chain(40).ledger.slice(39), signals: chain(40).signals.slice(39) });
    await storePosition(40);
    expect((await get('/verify')).body.data).toMatchObject({ status: 'VALID', checkpoint: before.note });
    expect((await get('/checkpoint')).body.data).toEqual(before);
  });
});

describe('proofs', () => {
  test('prove every tenth signal of 700, down to the columns on the screen', async () => {
    const rows = chain(700);
    await store(rows);
    for (let index = 0; index < 700; index += 70) {
      const { auditId } = sampleCore(index);
      const { status, body } = await get(`/proofs/inclusion?auditId=${auditId}`);
      expect(status).toBe(200);
      const proof = body.data;
      const checkpoint = await opened(proof.checkpoint);
      expect([proof.leafIndex, proof.treeSize]).toEqual([index, 700]);
      const core = coreHash(bytes(proof.coreSalt), canonicalJson(sampleCore(index)));
      const detail = detailHash(bytes(proof.detailSalt), canonicalJson(sampleDetail(index)));
      expect(proof.leaf.dataHash).toBe(dataHash(core, detail).toString('hex'));
      const leaf = leafHash(proof.leaf);
      expect(rootFromInclusion(leaf, index, 700, proof.hashes.map(bytes))).toEqual(checkpoint.root);
    }
  });

  test('show that two saved checkpoints are consistent with each other and the newest entry', async () => {
    const rows = chain(900);
    await store({ ...rows, ledger: rows.ledger.slice(0, 300), signals: rows.signals.slice(0, 300) });
    const older = await opened((await get('/checkpoint')).body.data.note);
    await store(rows, 300);
    const newer = await opened((await get('/checkpoint')).body.data.note);
    const { body } = await get('/proofs/consistency?fromSize=300');
    expect(body.data).toMatchObject({ fromSize: 300, toSize: 900 });
    expect(isConsistent(older, newer, body.data.hashes.map(bytes))).toBe(true);
    const fromNothing = (await get('/proofs/consistency?fromSize=0')).body.data;
    expect(fromNothing).toMatchObject({ fromSize: 0, fromRoot: rootAt(rows, 0), toSize: 900, hashes: [] });
    const within = (await get('/proofs/consistency?fromSize=7&toSize=520')).body.data;
    expect([within.fromRoot, within.toRoot]).toEqual([rootAt(rows, 7), rootAt(rows, 520)]);
    expect(
      isConsistent(
        { size: 7, root: bytes(within.fromRoot) },
        { size: 520, root: bytes(within.toRoot) },
        within.hashes.map(bytes),
      ),
    ).toBe(true);
  });

  test('are not found for an unknown or another customer’s audit', async () => {
    await store(chain(3));
    const { auditId } = sampleCore(1);
    expect((await get(`/proofs/inclusion?auditId=${auditId}`)).status).toBe(200);
    const other = await world.harness.customer();
    const unknown = '01993d5a-7c00-7000-8000-0000000000ff';
    for (const [id, headers] of [
      [unknown, customer.headers],
      [auditId, other.headers],
    ] as const) {
      const { status, body } = await get(`/proofs/inclusion?auditId=${id}`, headers);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('refuse invalid sizes with what to do', async () => {
    await store(chain(3));
    for (const [query, message] of [
      ['fromSize=4', 'fromSize: must not exceed toSize'],
      ['fromSize=1&toSize=4', 'toSize: the ledger has 3 entries; omit toSize to use all'],
      ['fromSize=-1', 'fromSize'],
      ['fromSize=x', 'fromSize'],
      ['', 'fromSize'],
    ]) {
      const { status, body } = await get(`/proofs/consistency?${query}`);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    }
  });
});
