import { z } from 'zod';
import { EVIDENCE_SCOPES, FRAMEWORKS, LEDGER_KINDS } from '../../vocabulary.ts';
import { hash, isoTime } from '../fields/fields.ts';
import { NOTICE } from './attestations.ts';

/**
 * Contents of an evidence package: shapes shared by the code that creates packages and the code that verifies them,
 * which have little else in common.
 */

export const PACKAGE_FORMAT = 'cas-evidence-package/1';
export const MANIFEST = 'manifest.json';
/** A signed note whose text is the manifest. */
export const SIGNATURE = 'manifest.sig';
/** Fixed names: none is derived from user input. */
export const PACKAGE_FILES = [
  'README.txt',
  'attestations.json',
  'checkpoint.txt',
  'coverage.json',
  'hash-chain/entries.ndjson',
  'hash-chain/range.json',
  'incidents.ndjson',
  'oscal/assessment-results.json',
  'signals.ndjson',
  'verify.html',
] as const;
export type PackageFile = (typeof PACKAGE_FILES)[number];

const count = z.int().nonnegative();

export const manifest = z.strictObject({
  format: z.literal(PACKAGE_FORMAT),
  notice: z.literal(NOTICE),
  customerId: z.string(),
  framework: z.enum(FRAMEWORKS),
  periodStart: isoTime,
  periodEnd: isoTime,
  includeIncidents: z.boolean(),
  includeHashChain: z.boolean(),
  /** When the checkpoint was signed. */
  generatedAt: isoTime,
  /** Number of ledger entries at the checkpoint, and the root over them. */
  treeSize: count,
  rootHash: hash,
  catalogueVersion: z.string(),
  scope: z.enum(EVIDENCE_SCOPES),
  counts: z.strictObject({ signals: count, incidentEvents: count, entries: count }),
  /** All files except the manifest and its signature, ordered by name. */
  files: z
    .array(z.strictObject({ name: z.enum(PACKAGE_FILES), sha256: hash, size: count }))
    .max(PACKAGE_FILES.length),
});
export type Manifest = z.output<typeof manifest>;

const subtree = z.strictObject({ from: count, to: count, hash });

/** The entries in the archive, and the roots of the other subtrees that complete the checkpoint's tree. */
export const chainRange = z.strictObject({
  /** Entries from `from` (inclusive) to `to` (exclusive). */
  from: count,
  to: count,
  treeSize: count,
  rootHash: hash,
  left: z.array(subtree).max(64),
  right: z.array(subtree).max(64),
});
export type ChainRange = z.output<typeof chainRange>;

const leaf = z.strictObject({
  v: z.int(),
  kind: z.enum(LEDGER_KINDS),
  customerId: z.string(),
  index: count,
  id: z.string(),
  at: z.string(),
  dataHash: hash,
});

/** One ledger entry's contribution to chain and tree. Hashes in lower-case hex. */
export const entryLine = z.strictObject({
  leaf,
  leafHash: hash,
  previousHash: hash,
  hash,
  coreHash: hash,
  detailHash: hash,
});
export type EntryLine = z.output<typeof entryLine>;

const fields = z.record(z.string(), z.unknown());

/** Content of an entry: the input of its hashes, with the salts. `detail` and its salt are null once erased. */
export const contentLine = z.strictObject({
  index: count,
  v: z.int(),
  id: z.string(),
  at: z.string(),
  core: fields,
  coreSalt: hash,
  detail: fields.nullable(),
  detailSalt: hash.nullable(),
});
export type ContentLine = z.output<typeof contentLine>;
