import {
  MANIFEST,
  type Manifest,
  manifest,
  PACKAGE_FILES,
  SIGNATURE,
} from '#schemas/api/evidence/evidence-package.ts';
import { type Checkpoint, parseCheckpoint } from '../checkpoint/checkpoint.ts';
import { openNote } from '../checkpoint/signed-note.ts';
import type { NoteKey } from '../checkpoint/verifier-key.ts';
import { createSha256 } from '../native-crypto.ts';
import { type Archive, type ArchiveBytes, openArchive } from './archive.ts';
import { PackageFault } from './package-fault.ts';
import { textOf } from './read-files.ts';
import { recountAttestations } from './recount.ts';
import { type ChainFacts, verifyChain } from './verify-chain.ts';
import { type ContentFacts, verifyContent } from './verify-content.ts';

/** A failed check, and the file (with a line, if there is one) in which it failed. */
interface FoundFault {
  readonly file: string;
  readonly reason: string;
}

/** The checks in order; verification stops at the first that fails. */
export const STEPS = [
  'archive',
  'signature',
  'files',
  'checkpoint',
  'chain',
  'content',
  'attestations',
] as const;
export type Step = (typeof STEPS)[number];

/** Counted in the files, not taken from the manifest. */
interface PackageCounts {
  readonly signals: number;
  readonly incidents: number;
  readonly attestations: number;
  /** False: made with a catalog that this program does not have, so the signed numbers are shown unchecked. */
  readonly areRecounted: boolean;
}

/** What an archive proves: nothing if it has a fault. */
export interface PackageVerdict {
  readonly manifest: Manifest | null;
  readonly checkpoint: Checkpoint | null;
  readonly counts: PackageCounts | null;
  readonly faults: readonly FoundFault[];
  /** What was checked, one sentence each. */
  readonly facts: readonly string[];
}

/** Small files are read whole. */
const MAX_SMALL_BYTES = 64 * 1024;

/** `onStep` is called when a step starts; steps for parts that were left out of the package do nothing. */
interface VerifyOptions {
  /** Must come from another source than the archive. */
  readonly keys: readonly NoteKey[];
  readonly onStep: (step: Step) => void;
}

/**
 * Verifies a package offline: the archive, the signature, every file, the ledger's hashes from each signal to the
 * signed root, the links of its chain, and all numbers that can be recounted. `keys`: from another source than the
 * archive.
 */
export async function verifyPackage(
  bytes: ArchiveBytes,
  keys: readonly NoteKey[],
  onStep: VerifyOptions['onStep'] = () => undefined,
): Promise<PackageVerdict> {
  const faults: FoundFault[] = [];
  const facts: string[] = [];
  let signed: Manifest | null = null;
  let proved: Pick<PackageVerdict, 'checkpoint' | 'counts'> = { checkpoint: null, counts: null };
  try {
    onStep('archive');
    const archive = await openArchive(bytes);
    onStep('signature');
    signed = await signedManifest(archive, keys);
    facts.push(`signed manifest: ${described(signed)}`);
    onStep('files');
    faults.push(...(await changedFiles(archive, signed)));
    if (faults.length === 0) {
      const verified = await verifyFiles(archive, signed, { keys, onStep });
      proved = verified;
      facts.push(...verified.facts);
    }
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error;
    faults.push({ file: error.file, reason: error.message });
  }
  return { manifest: signed, ...proved, faults, facts };
}

const described = ({ framework, periodStart, periodEnd, customerId, treeSize }: Manifest): string =>
  `${framework}, ${periodStart} to ${periodEnd}, customer ${customerId}, ${treeSize} ledger entries`;

async function signedManifest(archive: Archive, keys: readonly NoteKey[]): Promise<Manifest> {
  const text = await textOf(archive, MANIFEST, MAX_SMALL_BYTES);
  const opened = openNote(await textOf(archive, SIGNATURE, MAX_SMALL_BYTES), keys);
  if (opened === null) throw new PackageFault(SIGNATURE, 'it is not signed by the given key, or was changed');
  if (opened.text !== text) throw new PackageFault(MANIFEST, `it does not match ${SIGNATURE}`);
  const parsed = manifest.safeParse(jsonOrNull(text));
  if (parsed.success) return parsed.data;
  throw new PackageFault(MANIFEST, 'it is signed but is not the manifest of an evidence package');
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Files that differ from the manifest. */
async function changedFiles(archive: Archive, { files }: Manifest): Promise<FoundFault[]> {
  const faults: FoundFault[] = [];
  const listed = new Map(files.map((file) => [file.name, file]));
  if (listed.size !== files.length) faults.push({ file: MANIFEST, reason: 'it lists a file twice' });
  for (const name of PACKAGE_FILES) {
    const [wanted, found] = [listed.get(name), archive.files.get(name)];
    if (wanted === undefined && found !== undefined)
      faults.push({ file: name, reason: 'it is not listed in the manifest' });
    if (wanted !== undefined && found === undefined) faults.push({ file: name, reason: 'it is missing' });
    if (wanted === undefined || found === undefined) continue;
    if (found.size !== wanted.size)
      faults.push({ file: name, reason: `it has ${found.size} bytes; the manifest says ${wanted.size}` });
    else if ((await digestOf(archive, name)) !== wanted.sha256)
      faults.push({ file: name, reason: 'it was changed: its SHA-256 does not match the manifest' });
  }
  return faults;
}

async function digestOf(archive: Archive, name: string): Promise<string> {
  const digest = createSha256();
  for await (const piece of archive.chunks(name)) digest.update(piece);
  return digest.hex();
}

/** Checks the content of the files, after they matched the signed hashes. */
async function verifyFiles(archive: Archive, signed: Manifest, { keys, onStep }: VerifyOptions) {
  onStep('checkpoint');
  const checkpoint = await signedCheckpoint(archive, signed, keys);
  const facts = [
    `signed checkpoint: ${checkpoint.origin}, ${checkpoint.size} entries, root ${signed.rootHash}`,
  ];
  onStep('chain');
  const chain = signed.includeHashChain ? await verifyChain(archive, signed, checkpoint) : null;
  onStep('content');
  const content = await verifyContent(archive, signed, chain);
  facts.push(...tracedFacts(chain, content));
  onStep('attestations');
  const { fact, attestations, isKnown } = await recountAttestations(archive, signed, content);
  facts.push(fact);
  const { signals, recount } = content;
  return {
    checkpoint,
    counts: { signals, incidents: recount.incidents(), attestations, areRecounted: isKnown },
    facts,
  };
}

async function signedCheckpoint(
  archive: Archive,
  { customerId, treeSize, rootHash }: Manifest,
  keys: readonly NoteKey[],
): Promise<Checkpoint> {
  const file = 'checkpoint.txt';
  const opened = openNote(await textOf(archive, file, MAX_SMALL_BYTES), keys);
  const checkpoint = opened === null ? null : parseCheckpoint(opened.text);
  if (checkpoint === null) throw new PackageFault(file, 'it is not a checkpoint signed by the given key');
  if (!checkpoint.origin.endsWith(`/${customerId}`))
    throw new PackageFault(file, 'it belongs to another customer than the manifest');
  if (checkpoint.size !== treeSize || checkpoint.root.toString('hex') !== rootHash)
    throw new PackageFault(file, 'it is not the checkpoint in the manifest');
  return checkpoint;
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

function tracedFacts(chain: ChainFacts | null, { signals, incidentEvents }: ContentFacts): string[] {
  if (chain === null)
    return [
      `${counted(signals, 'signal')} and ${counted(incidentEvents, 'incident change')} are as signed; without ledger proofs, they cannot be traced to the checkpoint one by one`,
    ];
  return [
    `${chain.entries} entries from index ${chain.from} are linked and produce the signed root`,
    `${counted(signals, 'signal')} and ${counted(incidentEvents, 'incident change')} match their ledger entries`,
  ];
}
