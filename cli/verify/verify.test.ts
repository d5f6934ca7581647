import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkpointText } from '#core/evidence/checkpoint/checkpoint.ts';
import { type NoteSigner, signNote } from '#core/evidence/checkpoint/signed-note.ts';
import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { dataHash, leafHash } from '#core/evidence/hashing.ts';
import { consistencyRanges } from '#core/evidence/tree/ranges.ts';
import { makeReceipts } from '#core/evidence/tree/receipts.ts';
import { treeOf } from '#core/evidence/tree/small-tree.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Answer, Client } from '../command/client.ts';
import { clientOver, RequestFailed } from '../command/client.ts';
import { readEvidence } from './read-evidence.ts';
import { keysOf, proved } from './verify.ts';
import { checkOnce } from './watch.ts';

const CUSTOMER = '01993d5a-7c00-7000-8000-0000000000c1';
const ORIGIN = `ledger.example/${CUSTOMER}`;

function signer(seed: number): NoteSigner {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
  return { name: 'ledger.example', publicKey, sign: (message) => sign(null, message, key) };
}
const ours = signer(1);
const keys = keysOf([verifierKey(ours)]);
const other = keysOf([verifierKey(signer(2))]);

const [CORE, DETAIL] = [hash('sha256', 'core', 'buffer'), hash('sha256', 'detail', 'buffer')];
const leafAt = (index: number, change = '') => ({
  v: 1,
  kind: 'SIGNAL' as const,
  customerId: CUSTOMER,
  index,
  id: `audit ${index}${change}`,
  at: '2026-11-01T10:00:00.000Z',
  dataHash: dataHash(CORE, DETAIL).toString('hex'),
});
/** Leaf hashes of a ledger, which differs from index `changed` on. */
const leaves = (size: number, changed = size): Buffer[] =>
  Array.from({ length: size }, (_, index) => leafHash(leafAt(index, index >= changed ? '!' : '')));
const head = hash('sha256', 'head', 'buffer');
const noteOf = (all: readonly Buffer[], origin = ORIGIN): string =>
  signNote(
    checkpointText({ origin, size: all.length, root: treeOf(all).root, chainHead: head, epoch: null }),
    ours,
  );

const checkpointOf = (all: readonly Buffer[], origin = ORIGIN) => ({
  origin,
  treeSize: all.length,
  rootHash: treeOf(all).root.toString('hex'),
  chainHead: head.toString('hex'),
  note: noteOf(all, origin),
  keyId: '0123456789abcdef',
  issuedAt: '2026-11-01T10:00:00.000Z',
});
const inclusionOf = (all: readonly Buffer[], index: number) => {
  const { root, paths } = treeOf(all);
  return {
    leafIndex: index,
    treeSize: all.length,
    leaf: leafAt(index),
    coreHash: CORE.toString('hex'),
    detailHash: DETAIL.toString('hex'),
    coreSalt: null,
    detailSalt: null,
    leafHash: all[index]!.toString('hex'),
    rootHash: root.toString('hex'),
    hashes: paths[index]!.map((one) => one.toString('hex')),
    checkpoint: noteOf(all),
  };
};
const consistencyOf = (all: readonly Buffer[], fromSize: number) => ({
  fromSize,
  toSize: all.length,
  fromRoot: treeOf(all.slice(0, fromSize)).root.toString('hex'),
  toRoot: treeOf(all).root.toString('hex'),
  hashes: consistencyRanges(fromSize, all.length).map(({ from, to }) =>
    treeOf(all.slice(from, to)).root.toString('hex'),
  ),
  checkpoint: noteOf(all),
});

/** Response to the erasure of a signal whose ERASURE is entry 5. */
const ERASED = '01993d5a-7c00-7000-8000-0000000000e1';
function erasureOf(id = `signal:${ERASED}`, kind: LedgerKind = 'ERASURE') {
  const leaf = { ...leafAt(5), kind, id };
  const all = [...leaves(5), leafHash(leaf), ...leaves(9).slice(6)];
  const { leafIndex, treeSize, leafHash: hashed, rootHash, hashes, checkpoint } = inclusionOf(all, 5);
  const receipt = { index: leafIndex, leaf, leafHash: hashed, treeSize, rootHash, hashes, checkpoint };
  return { signalId: ERASED, deleted: true, status: 'ERASED', receipt };
}

function changed(change: object) {
  const answer = erasureOf();
  return { ...answer, receipt: { ...answer.receipt, ...change } };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function fileWith(content: unknown): string {
  const file = path.join(folder, `file-${files++}`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
const verify = (content: unknown, withKeys = keys, from?: string): string[] =>
  proved(readEvidence(fileWith(content)), withKeys, from);

describe('cas verify', () => {
  const all = leaves(11);

  test('accepts a checkpoint as its note, as data and as the whole response', () => {
    const line = `signed checkpoint: ${ORIGIN}, 11 entries, root ${treeOf(all).root.toString('hex')}`;
    for (const content of [noteOf(all), checkpointOf(all), { success: true, data: checkpointOf(all) }])
      expect(verify(content)).toEqual([line]);
    expect(() => verify(noteOf(all), other)).toThrow('not signed by the given key');
  });

  test('proves that an entry is in the signed tree', () => {
    for (const index of [0, 5, 10]) {
      const [, line] = verify({ success: true, data: inclusionOf(all, index) });
      expect(line).toContain(`entry ${index}: SIGNAL audit ${index}`);
    }
  });

  test.each([
    ['another leaf', { leaf: leafAt(5, '!') }, 'leafHash is not the hash of the leaf'],
    ['another index', { leafIndex: 6 }, 'another index'],
    ['another size', { treeSize: 12 }, 'different sizes'],
    ['other content', { coreHash: DETAIL.toString('hex') }, 'do not match the leaf'],
    ['a shorter path', { hashes: [] }, 'not included in the signed root'],
    [
      'the note of another customer',
      { checkpoint: noteOf(all, 'ledger.example/other') },
      'different customers',
    ],
    ['the note of another tree', { checkpoint: noteOf(leaves(11, 3)) }, 'not included in the signed root'],
  ])('rejects a proof of an entry with %s', (_what, change, message) => {
    expect(() => verify({ ...inclusionOf(all, 5), ...change })).toThrow(message);
  });

  test('proves that a ledger extends the kept one, and rejects one that does not', () => {
    const proof = consistencyOf(all, 4);
    expect(verify(proof, keys, fileWith(noteOf(all.slice(0, 4)))).at(-1)).toBe(
      'consistent: the first 4 of 11 entries are unchanged',
    );
    expect(() => verify(proof)).toThrow('--from');
    expect(() => verify(proof, keys, fileWith(noteOf(leaves(4, 2))))).toThrow('not connect the two roots');
    expect(() => verify(proof, keys, fileWith(noteOf(all.slice(0, 5))))).toThrow('covers 4 to 11 entries');
    expect(() => verify(proof, keys, fileWith(noteOf(all.slice(0, 4), 'a/b')))).toThrow('is from a/b');
  });

  test('proves a receipt made alone, and one of many', () => {
    const keyId = hash('sha256', ours.publicKey).slice(0, 16);
    const content = (offset: number) => ({
      payloadDigest: 'd'.repeat(64),
      nonce: 'e'.repeat(64),
      acceptedAt: '2026-11-01T10:00:00.000Z',
      partition: 0,
      offset,
      keyId,
    });
    const [alone] = makeReceipts([content(1)], keyId, ours.sign);
    const many = makeReceipts([content(2), content(3), content(4)], keyId, ours.sign);
    for (const receipt of [alone, ...many]) {
      expect(verify({ success: true, data: { auditId: CUSTOMER, receipt } })[0]).toContain('accepted at');
      expect(() => verify({ ...receipt, offset: 9 })).toThrow('was changed');
      expect(() => verify(receipt, other)).toThrow('was not given');
    }
  });

  test.each([
    ['', 'not signed'],
    ['{"a":', 'is not valid JSON'],
    ['{"a":1}', 'is not evidence'],
    ['{"data":null}', 'is not evidence'],
    ['x'.repeat(1_100_000), 'has 1100000 bytes'],
  ])('says of %.20s what is wrong with it', (content, message) => {
    expect(() => verify(content)).toThrow(message);
  });

  test('proves an erasure, by the whole response or the receipt alone', () => {
    const answer = erasureOf();
    for (const content of [{ success: true, data: answer }, answer, answer.receipt])
      expect(verify(content)[1]).toBe(
        `entry 5: erasure of signal ${ERASED}, decided at ${answer.receipt.leaf.at}`,
      );
    expect(() => verify(answer, other)).toThrow('not signed by the given key');
  });

  test.each([
    ['of another signal', erasureOf('signal:another'), 'of another signal'],
    ['that is no entry of an erasure', erasureOf(`signal:${ERASED}`, 'SIGNAL'), 'not record the erasure'],
    ['with another place', changed({ index: 4 }), 'another index'],
    [
      'with another leaf',
      changed({ leaf: { ...erasureOf().receipt.leaf, at: '2026-01-01T00:00:00.000Z' } }),
      'leafHash',
    ],
    ['with a shorter path', changed({ hashes: [] }), 'not included in the signed root'],
  ])('rejects the receipt of an erasure %s', (_what, answer, message) => {
    expect(() => verify(answer)).toThrow(message);
  });

  test('rejects an invalid key', () => {
    expect(() => keysOf(['ledger.example+0+AAAA'])).toThrow('Invalid --key');
  });
});

describe('cas watch', () => {
  /** A service that has this ledger. */
  function service(all: readonly Buffer[], origin = ORIGIN): Client {
    return clientOver('', async (_method, url) => {
      const fromSize = new URL(url, 'http://x').searchParams.get('fromSize');
      const data = fromSize === null ? checkpointOf(all, origin) : consistencyOf(all, Number(fromSize));
      return { statusCode: 200, body: { success: true, data } as unknown as Answer['body'] };
    });
  }
  const kept = (file: string): string => readFileSync(file, 'utf8');

  test('keeps the first checkpoint, and each one that extends it', async () => {
    const file = path.join(folder, 'watched');
    for (const size of [3, 3, 8, 40]) {
      await checkOnce(service(leaves(size)), file, keys);
      expect(kept(file)).toBe(noteOf(leaves(size)));
    }
  });

  test.each([
    ['a rollback', leaves(8), 'ROLLBACK: it has 8 entries, and 9 were signed before'],
    ['a split view', leaves(9, 8), 'SPLIT VIEW'],
    ['a history that was rewritten and has grown', leaves(20, 4), 'does not connect the two roots'],
  ])('alerts on %s, and keeps the old checkpoint', async (_what, now, message) => {
    const file = fileWith(noteOf(leaves(9)));
    await expect(checkOnce(service(now), file, keys)).rejects.toThrow(message);
    expect(kept(file)).toBe(noteOf(leaves(9)));
  });

  test("alerts on another customer's ledger, another key, and a changed file", async () => {
    const file = fileWith(noteOf(leaves(9)));
    await expect(checkOnce(service(leaves(9), 'a/b'), file, keys)).rejects.toThrow('another ledger');
    await expect(checkOnce(service(leaves(9)), path.join(folder, 'new'), other)).rejects.toThrow(
      'not signed',
    );
    writeFileSync(file, noteOf(leaves(9)).replace('9', '8'));
    await expect(checkOnce(service(leaves(9)), file, keys)).rejects.toThrow('not signed');
  });

  test('continues from a saved response too, and rejects files without a checkpoint', async () => {
    const file = fileWith({ success: true, data: checkpointOf(leaves(3), ORIGIN) });
    await checkOnce(service(leaves(8)), file, keys);
    expect(kept(file)).toBe(noteOf(leaves(8)));
    await expect(checkOnce(service(leaves(9)), fileWith(consistencyOf(leaves(9), 3)), keys)).rejects.toThrow(
      'has no checkpoint',
    );
  });

  test("passes on the service's message about a ledger that was rolled back", async () => {
    const failed = new RequestFailed('409 LEDGER_ROLLED_BACK', 409, 'LEDGER_ROLLED_BACK');
    const client = clientOver('', () => Promise.reject(failed));
    await expect(checkOnce(client, fileWith(noteOf(leaves(9))), keys)).rejects.toBe(failed);
  });
});
