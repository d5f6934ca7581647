import { openArchive } from '#core/evidence/package/archive.ts';
import { PackageFault } from '#core/evidence/package/package-fault.ts';
import { STEPS, verifyPackage } from '#core/evidence/package/verify-package.ts';
import { describe, expect, test } from '#jest';
import type { PackageFile } from '#schemas/api/evidence/evidence-package.ts';
import {
  archiveBytes,
  SAMPLE_FILES,
  SAMPLE_KEYS,
  SAMPLE_MANIFEST,
  samplePackage,
  sampleSigner,
} from '../../testing/sample-package.ts';
import { archiveFile } from './archive-file.ts';

/** The writer and the reader of packages against each other, and what the reader finds and refuses. */

const whole = await samplePackage();
const verdictOf = async (bytes: Uint8Array, keys = SAMPLE_KEYS) => verifyPackage(archiveBytes(bytes), keys);
const faultsOf = async (bytes: Uint8Array, keys = SAMPLE_KEYS) => (await verdictOf(bytes, keys)).faults;
const NAMES = [...Object.keys(SAMPLE_FILES), 'manifest.json', 'manifest.sig'];

describe('a package', () => {
  test('verifies, and lists what was checked', async () => {
    const verdict = await verdictOf(whole);
    expect(verdict.faults).toEqual([]);
    expect(verdict.facts).toEqual([
      expect.stringContaining('GDPR, 2026-01-01T00:00:03.702Z'),
      expect.stringContaining('13 entries, root'),
      '6 entries from index 3 are linked and produce the signed root',
      '5 signals and 1 incident change match their ledger entries',
      '15 attestations recounted with catalog 1.0.0',
    ]);
  });

  test('always has the same bytes, and the date of its checkpoint', async () => {
    expect((await samplePackage()).equals(whole)).toBe(true);
    // DOS date and time of the first file: 2026-06-01, noon.
    expect(whole.readUInt16LE(12)).toBe(((2026 - 1980) << 9) | (6 << 5) | 1);
    expect(whole.readUInt16LE(10)).toBe(12 << 11);
  });

  test('may contain a page like any other file; an earlier release’s package has none', async () => {
    const files = { 'verify.html': '<!doctype html>\n' };
    expect(await faultsOf(await samplePackage({ files }))).toEqual([]);
    expect(Object.keys(SAMPLE_FILES)).not.toContain('verify.html');
  });

  test('reports its current step and its counts', async () => {
    const steps: string[] = [];
    const verdict = await verifyPackage(archiveBytes(whole), SAMPLE_KEYS, (step) => steps.push(step));
    expect(steps).toEqual(STEPS);
    expect(verdict.counts).toEqual({ signals: 5, incidents: 1, attestations: 15, areRecounted: true });
    expect(verdict.checkpoint).toMatchObject({ size: 13 });
  });

  test('signed with another key is refused', async () => {
    const other = [sampleSigner(2)];
    expect(await faultsOf(whole, other)).toEqual([
      { file: 'manifest.sig', reason: expect.stringContaining('not signed by the given key') },
    ]);
  });

  test.each(NAMES)('is refused with the file’s name for a changed byte anywhere in %s', async (name) => {
    const { files } = await openArchive(archiveBytes(whole));
    const { from, size } = files.get(name)!;
    const step = Math.max(1, Math.floor(size / 12));
    for (let at = from; at < from + size; at += step) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x01;
      const faults = await faultsOf(changed);
      expect(faults).toHaveLength(1);
      // A manifest and its signature depend on each other: either may be named.
      if (name.startsWith('manifest')) expect(faults[0]!.file).toMatch(/^manifest\./);
      else expect(faults[0]!.file).toBe(name);
    }
  });
});

/** A package that a lying service would sign: every file matches the manifest. */
const lines = (name: PackageFile): string[] => SAMPLE_FILES[name]!.trimEnd().split('\n');
const joined = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
const changedLine = (name: PackageFile, number: number, change: (line: never) => object): string =>
  joined(
    lines(name).map((line, at) => (at === number ? JSON.stringify(change(JSON.parse(line) as never)) : line)),
  );

type Content = { core: Record<string, unknown>; detail: Record<string, unknown>; at: string; index: number };
type Entry = { leaf: Record<string, unknown>; hash: string; previousHash: string; leafHash: string };
const other = 'ab'.repeat(32);

describe('a signed package with false content', () => {
  test.each<[what: string, file: PackageFile, text: string, named: string]>([
    [
      'a core',
      'signals.ndjson',
      changedLine('signals.ndjson', 1, (one: Content) => ({ ...one, core: { ...one.core, model: 'x' } })),
      'signals.ndjson:2',
    ],
    [
      'a detail',
      'signals.ndjson',
      changedLine('signals.ndjson', 2, (one: Content) => ({
        ...one,
        detail: { ...one.detail, reasoning: 'x' },
      })),
      'signals.ndjson:3',
    ],
    [
      'a salt',
      'signals.ndjson',
      changedLine('signals.ndjson', 0, (one: Content) => ({ ...one, coreSalt: other })),
      'signals.ndjson:1',
    ],
    [
      'a detail that is gone, and its salt is not',
      'signals.ndjson',
      changedLine('signals.ndjson', 0, (one: Content) => ({ ...one, detail: null })),
      'signals.ndjson:1',
    ],
    [
      'the order of signals',
      'signals.ndjson',
      joined(lines('signals.ndjson').toReversed()),
      'signals.ndjson:2',
    ],
    [
      'a signal that is left out',
      'signals.ndjson',
      joined(lines('signals.ndjson').slice(1)),
      'signals.ndjson',
    ],
    [
      'a signal of an entry elsewhere',
      'signals.ndjson',
      changedLine('signals.ndjson', 4, (one: Content) => ({ ...one, index: 12 })),
      'signals.ndjson:5',
    ],
    ['an invalid line', 'signals.ndjson', `${SAMPLE_FILES['signals.ndjson']}{`, 'signals.ndjson'],
    [
      'an incident',
      'incidents.ndjson',
      changedLine('incidents.ndjson', 0, (one: Content) => ({
        ...one,
        core: { ...one.core, status: 'CLOSED' },
      })),
      'incidents.ndjson:1',
    ],
    [
      'a leaf',
      'hash-chain/entries.ndjson',
      changedLine('hash-chain/entries.ndjson', 3, (one: Entry) => ({
        ...one,
        leaf: { ...one.leaf, id: 'x' },
      })),
      'hash-chain/entries.ndjson:4',
    ],
    [
      'a link',
      'hash-chain/entries.ndjson',
      changedLine('hash-chain/entries.ndjson', 2, (one: Entry) => ({ ...one, previousHash: other })),
      'hash-chain/entries.ndjson:3',
    ],
    [
      'a hash',
      'hash-chain/entries.ndjson',
      changedLine('hash-chain/entries.ndjson', 2, (one: Entry) => ({ ...one, hash: other })),
      'hash-chain/entries.ndjson:3',
    ],
    [
      'an entry that is left out',
      'hash-chain/entries.ndjson',
      joined(lines('hash-chain/entries.ndjson').toSpliced(2, 1)),
      'hash-chain/entries.ndjson:3',
    ],
    [
      'the last entry',
      'hash-chain/entries.ndjson',
      joined(lines('hash-chain/entries.ndjson').slice(0, -1)),
      'hash-chain/entries.ndjson',
    ],
    [
      'one entry more',
      'hash-chain/entries.ndjson',
      joined([...lines('hash-chain/entries.ndjson'), lines('hash-chain/entries.ndjson')[0]!]),
      'hash-chain/entries.ndjson:7',
    ],
    [
      'a subtree',
      'hash-chain/range.json',
      SAMPLE_FILES['hash-chain/range.json']!.replace(/"hash": "[0-9a-f]{64}"/, `"hash": "${other}"`),
      'hash-chain/range.json',
    ],
    [
      'a range',
      'hash-chain/range.json',
      SAMPLE_FILES['hash-chain/range.json']!.replace('"from": 3', '"from": 2'),
      'hash-chain/range.json',
    ],
    ['another origin’s checkpoint', 'checkpoint.txt', 'somebody\n13\n\n', 'checkpoint.txt'],
    [
      'a count of signals',
      'attestations.json',
      SAMPLE_FILES['attestations.json']!.replace('"signalCount": 5', '"signalCount": 4'),
      'attestations.json',
    ],
    [
      'a count of violations',
      'attestations.json',
      SAMPLE_FILES['attestations.json']!.replace('"violationCount": 5', '"violationCount": 4'),
      'attestations.json',
    ],
    [
      'a count of a code',
      'attestations.json',
      SAMPLE_FILES['attestations.json']!.replace('"EMAIL": 5', '"EMAIL": 6'),
      'attestations.json',
    ],
    [
      'a count of incidents',
      'attestations.json',
      SAMPLE_FILES['attestations.json']!.replace('"openIncidents": 1', '"openIncidents": 0'),
      'attestations.json',
    ],
  ])('%s', async (_what, file, text, named) => {
    expect(text).not.toBe(SAMPLE_FILES[file]);
    const faults = await faultsOf(await samplePackage({ files: { [file]: text } }));
    expect(faults.map((fault) => fault.file)).toEqual([named]);
  });

  test('is refused for signals of another period and missing numbers', async () => {
    const faults = [
      await faultsOf(await samplePackage({ manifest: { periodStart: '2026-01-01T00:00:05.000Z' } })),
      await faultsOf(
        await samplePackage({ manifest: { counts: { ...SAMPLE_MANIFEST.counts, signals: 6 } } }),
      ),
      await faultsOf(await samplePackage({ manifest: { treeSize: 12 } })),
      await faultsOf(await samplePackage({ manifest: { customerId: 'another' } })),
    ];
    expect(faults.map(([first]) => first!.file)).toEqual([
      'signals.ndjson',
      'signals.ndjson',
      'checkpoint.txt',
      'checkpoint.txt',
    ]);
  });
});

/** Bytes of the first file's directory entry, and of the end of the archive. */
const END = whole.length - 22;
const DIRECTORY = whole.readUInt32LE(END + 16);
const withBytes = (at: number, write: (bytes: Buffer) => void): Buffer => {
  const changed = Buffer.from(whole);
  write(changed.subarray(at));
  return changed;
};

describe('an archive that this service would not write', () => {
  test.each<[what: string, bytes: Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no archive', Buffer.alloc(1_000, 0x41)],
    ['an archive that ends too early', whole.subarray(0, -1)],
    ['an archive with trailing bytes', Buffer.concat([whole, Buffer.alloc(1)])],
    ['an archive with leading bytes', Buffer.concat([Buffer.alloc(1), whole])],
    ['a name that leads elsewhere', withBytes(DIRECTORY + 46, (bytes) => bytes.write('../README'))],
    ['an absolute name', withBytes(DIRECTORY + 46, (bytes) => bytes.write('/'))],
    ['another name in the header', withBytes(30, (bytes) => bytes.write('../README'))],
    ['a link', withBytes(DIRECTORY + 40, (bytes) => bytes.writeUInt16LE(0o120777))],
    ['a folder', withBytes(DIRECTORY + 40, (bytes) => bytes.writeUInt16LE(0o040755))],
    ['a compressed file', withBytes(DIRECTORY + 10, (bytes) => bytes.writeUInt16LE(8))],
    ['a file that would grow', withBytes(DIRECTORY + 24, (bytes) => bytes.writeUInt32LE(0xffff_ffff))],
    ['an encrypted file', withBytes(DIRECTORY + 8, (bytes) => bytes.writeUInt16LE(1))],
    [
      'sizes beyond its end',
      withBytes(DIRECTORY + 20, (bytes) => {
        bytes.writeUInt32LE(0x7fff_ffff);
        bytes.writeUInt32LE(0x7fff_ffff, 4);
      }),
    ],
    ['overlapping files', withBytes(DIRECTORY + 42, (bytes) => bytes.writeUInt32LE(1))],
    [
      'more files than a package has',
      withBytes(END + 8, (bytes) => {
        bytes.writeUInt16LE(60_000);
        bytes.writeUInt16LE(60_000, 2);
      }),
    ],
    ['a comment', withBytes(END + 20, (bytes) => bytes.writeUInt16LE(1))],
    ['a directory elsewhere', withBytes(END + 16, (bytes) => bytes.writeUInt32LE(0))],
  ])('%s is refused', async (_what, bytes) => {
    await expect(openArchive(archiveBytes(bytes))).rejects.toThrow(PackageFault);
    expect(await faultsOf(bytes)).toHaveLength(1);
  });

  test('is refused for a changed byte of its structure, unless the byte has no effect', async () => {
    const end = whole.length;
    for (let at = DIRECTORY; at < end; at += 7) {
      const changed = withBytes(at, (bytes) => bytes.writeUInt8(bytes[0]! ^ 0x40));
      const verdict = await verdictOf(changed);
      // Times, versions and the like: the files are still the signed ones.
      if (verdict.faults.length === 0) expect(verdict.facts).toHaveLength(5);
    }
  });
});

test('a part whose source fails makes the archive fail', async () => {
  const archive = archiveFile({
    issuedAt: '2026-06-01T10:00:00.000Z',
    parts: [
      {
        name: 'signals.ndjson',
        // biome-ignore lint/correctness/useYield: it fails before its first piece
        async *content() {
          throw new Error('the warehouse is down');
        },
      },
    ],
    manifestText: () => 'never\n',
    sign: (text) => text,
  });
  const read = async (): Promise<void> => {
    for await (const _ of archive);
  };
  await expect(read()).rejects.toThrow('the warehouse is down');
});
