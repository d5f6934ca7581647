import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { checkpointText } from '#core/evidence/checkpoint/checkpoint.ts';
import { type NoteSigner, signNote } from '#core/evidence/checkpoint/signed-note.ts';
import { attest } from '#core/evidence/frameworks/attest.ts';
import { CATALOGUES } from '#core/evidence/frameworks/catalogues.ts';
import { type IncidentFacts, NO_INCIDENTS } from '#core/evidence/frameworks/facts.ts';
import { isMapped } from '#core/evidence/frameworks/mapped-signals.ts';
import type { ArchiveBytes } from '#core/evidence/package/archive.ts';
import { contentLineOf, entryLineOf, signalLineOf } from '#core/evidence/package/lines.ts';
import { manifestText, prettyJson } from '#core/evidence/package/manifest.ts';
import { rangeParts } from '#core/evidence/package/range-tree.ts';
import {
  CUSTOMER,
  sampleCore,
  sampleDraft,
  storedRows,
  timeOf,
} from '#core/evidence/testing/sample-chain.ts';
import { rangeRoot } from '#core/evidence/tree/stored-subtrees.ts';
import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import type { Manifest, PackageFile } from '#schemas/api/evidence/evidence-package.ts';
import { archiveFile } from '../evidence/packages/archive-file.ts';

/**
 * A small package of signals and an incident, made without a warehouse; its files can be changed before it is signed.
 */

export function sampleSigner(seed: number): NoteSigner {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
  return { name: 'ledger.example', publicKey, sign: (message) => sign(null, message, key) };
}

const FRAMEWORK = 'GDPR';
const ISSUED_AT = '2026-06-01T10:00:00.000Z';
const [FROM, TO, SIZE] = [3, 9, 13];
/** Index of the incident's event; the signals are the other entries of the range. */
const INCIDENT = 8;

const rows = storedRows(
  Array.from({ length: SIZE }, (_, index) =>
    index === INCIDENT
      ? sampleDraft(index, 'INCIDENT_EVENT', {
          incidentId: 'incident',
          version: 1,
          signalId: sampleCore(FROM).auditId,
          status: 'OPEN',
        })
      : sampleDraft(index, 'SIGNAL'),
  ),
);
const leaf = (index: number): Buffer => Buffer.from(rows.ledger[index]!.leafHash, 'hex');
const rootOver = (from: number, to: number): Buffer =>
  rangeRoot({ from, to }, { heights: { small: 8, large: 16 }, upTo: 0 }, (_, index) => leaf(index));

const signer = sampleSigner(1);
export const SAMPLE_KEYS = [signer];

const checkpoint = {
  origin: `ledger.example/${CUSTOMER}`,
  size: SIZE,
  root: rootOver(0, SIZE),
  chainHead: Buffer.from(rows.ledger.at(-1)!.hash, 'hex'),
  epoch: null,
};
const note = signNote(checkpointText(checkpoint), signer);
const signals = rows.signals.filter(({ index }) => index >= FROM && index < TO);

function attestations() {
  const open: IncidentFacts = { ...NO_INCIDENTS, incidents: 1, open: 1, highWithIncident: 1 };
  const { controls, version } = CATALOGUES.find(({ framework }) => framework === FRAMEWORK)!;
  const totals = { signals: signals.length, high: signals.length };
  const recent = { newer: { signals: 0, high: 0 }, older: { signals: 0, high: 0 } };
  const byCode = new Map([['EMAIL', signals.length]]);
  const scope = {
    ...totals,
    ...recent,
    byCode,
    scope: 'ALL' as const,
    withoutOrigin: 0,
    personal: 0,
    redacted: 0,
    providers: [],
    sandboxes: [],
    incidents: open,
  };
  const ledger = {
    ...{ verifiedEntries: 0, brokenAt: null, rehashedAt: null },
    ...{ auditorCalls: 0, checkpointAt: 0, packages: 0, policies: 0 },
    ...{ retentionPolicies: [], retentionErasures: 0, askedErasures: 0 },
  };
  return controls.map((control) => {
    const { mapping } = control;
    const marks = { riskLevel: 'HIGH', violations: ['EMAIL', 'CUSTOM_RULE'], detectors: [] };
    const isCounted = mapping !== null && isMapped(mapping, marks);
    const none = { signals: 0, high: 0, incidents: NO_INCIDENTS, byCode: new Map<string, number>() };
    const counted = isCounted ? { ...totals, incidents: open, byCode } : none;
    const mapped = mapping === null ? null : { ...counted, ...recent, sampleSignalIds: [] };
    const { controlId, ...attested } = attest(control, scope, mapped, ledger);
    return {
      id: '01993d5a-7c00-8000-8000-0000000000a3',
      framework: FRAMEWORK,
      controlId,
      title: control.title,
      evidenceType: control.evidenceType,
      ...attested,
      appliesFrom: control.appliesFrom,
      weight: control.weight,
      periodStart: timeOf(FROM),
      periodEnd: timeOf(TO),
      catalogueVersion: version,
      checkpoint: note,
      generatedAt: ISSUED_AT,
      notice: NOTICE,
    };
  });
}

const subtrees = (side: 'left' | 'right') =>
  rangeParts({ from: FROM, to: TO }, SIZE)[side].map(({ from, to }) => ({
    from,
    to,
    hash: rootOver(from, to).toString('hex'),
  }));

/** Every file, unchanged. */
export const SAMPLE_FILES: Readonly<Partial<Record<PackageFile, string>>> = {
  'README.txt': 'Read me.\n',
  'attestations.json': prettyJson(attestations()),
  'checkpoint.txt': note,
  'coverage.json': prettyJson({}),
  'hash-chain/entries.ndjson': rows.ledger.slice(FROM, TO).map(entryLineOf).join(''),
  'hash-chain/range.json': prettyJson({
    from: FROM,
    to: TO,
    treeSize: SIZE,
    rootHash: checkpoint.root.toString('hex'),
    left: subtrees('left'),
    right: subtrees('right'),
  }),
  'incidents.ndjson': rows.entries.map(contentLineOf).join(''),
  'oscal/assessment-results.json': prettyJson({}),
  'signals.ndjson': signals.map(signalLineOf).join(''),
};

export const SAMPLE_MANIFEST: Omit<Manifest, 'format' | 'notice' | 'files'> = {
  customerId: CUSTOMER,
  framework: FRAMEWORK,
  periodStart: timeOf(FROM),
  periodEnd: timeOf(TO),
  includeIncidents: true,
  includeHashChain: true,
  generatedAt: ISSUED_AT,
  treeSize: SIZE,
  rootHash: checkpoint.root.toString('hex'),
  catalogueVersion: CATALOGUES.find(({ framework }) => framework === FRAMEWORK)!.version,
  scope: 'ALL',
  counts: { signals: signals.length, incidentEvents: rows.entries.length, entries: TO - FROM },
};

interface SampleChanges {
  readonly files?: Readonly<Partial<Record<PackageFile, string>>>;
  readonly manifest?: Partial<typeof SAMPLE_MANIFEST>;
  readonly signer?: NoteSigner;
}

/** The archive, signed over the changed files. */
export async function samplePackage({
  files = {},
  manifest = {},
  signer: by = signer,
}: SampleChanges = {}): Promise<Buffer> {
  const all = Object.entries({ ...SAMPLE_FILES, ...files }) as [PackageFile, string][];
  const parts = all.map(([name, text]) => ({
    name,
    async *content() {
      yield text;
    },
  }));
  const pieces: Buffer[] = [];
  const archive = archiveFile({
    issuedAt: ISSUED_AT,
    parts,
    manifestText: (listed) => manifestText({ ...SAMPLE_MANIFEST, ...manifest, files: listed }),
    sign: (text) => signNote(text, by),
  });
  for await (const piece of archive) pieces.push(piece);
  return Buffer.concat(pieces);
}

export const archiveBytes = (bytes: Uint8Array): ArchiveBytes => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
});
