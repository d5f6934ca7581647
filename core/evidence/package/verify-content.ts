import {
  type ContentLine,
  contentLine,
  type Manifest,
  type PackageFile,
} from '#schemas/api/evidence/evidence-package.ts';
import { canonicalJson } from '../canonical-json.ts';
import { coreHash, detailHash } from '../hashing.ts';
import type { Archive } from './archive.ts';
import { PackageFault } from './package-fault.ts';
import { linesOf } from './read-files.ts';
import { createRecount, type Recount } from './recount.ts';
import type { ChainFacts } from './verify-chain.ts';

const SIGNALS: PackageFile = 'signals.ndjson';
const INCIDENTS: PackageFile = 'incidents.ndjson';

export interface ContentFacts {
  readonly signals: number;
  readonly incidentEvents: number;
  readonly recount: Recount;
}

/** Checks that signals and incidents match the entries and the period. `chain` null: the chain was left out. */
export async function verifyContent(
  archive: Archive,
  signed: Manifest,
  chain: ChainFacts | null,
): Promise<ContentFacts> {
  const recount = createRecount(signed);
  let incidentEvents = 0;
  // First, because counting signals needs their incidents.
  if (signed.includeIncidents)
    for await (const line of checkedLines(archive, INCIDENTS, { chain, kind: 'INCIDENT_EVENT' })) {
      incidentEvents += 1;
      recount.incident(line.core);
    }
  let signals = 0;
  for await (const line of checkedLines(archive, SIGNALS, { chain, kind: 'SIGNAL' })) {
    signals += 1;
    if (line.at < signed.periodStart || line.at > signed.periodEnd)
      throw new PackageFault(SIGNALS, `the signal at index ${line.index} is outside the period`);
    recount.signal(line);
  }
  const { counts } = signed;
  if (signals !== counts.signals)
    throw new PackageFault(SIGNALS, 'its number of signals does not match the manifest');
  if (incidentEvents !== counts.incidentEvents)
    throw new PackageFault(INCIDENTS, 'its number of incident changes does not match the manifest');
  return { signals, incidentEvents, recount };
}

async function* checkedLines(
  archive: Archive,
  name: PackageFile,
  { chain, kind }: { readonly chain: ChainFacts | null; readonly kind: 'SIGNAL' | 'INCIDENT_EVENT' },
): AsyncGenerator<ContentLine> {
  let last = -1;
  for await (const { number, value } of linesOf(archive, name, contentLine)) {
    const line = `${name}:${number}`;
    if (value.index <= last) throw new PackageFault(line, 'the lines are not in ledger order');
    last = value.index;
    const fault = chain === null ? null : contentFault(value, chain, kind);
    if (fault !== null) throw new PackageFault(line, fault);
    yield value;
  }
}

function contentFault(line: ContentLine, chain: ChainFacts, kind: string): string | null {
  const entry = chain.at(line.index);
  if (entry === null) return 'its ledger entry is not in the package';
  if (entry.kind !== kind || entry.id !== line.id || entry.at !== line.at)
    return `its ledger entry is ${entry.kind} of ${entry.at}, with another id or time`;
  if (!coreHash(Buffer.from(line.coreSalt, 'hex'), canonicalJson(line.core)).equals(entry.core))
    return 'its core does not match its ledger entry';
  if (kind === 'SIGNAL' && (line.core.auditId !== line.id || line.core.createdAt !== line.at))
    return 'its core has another id or time';
  if (kind === 'SIGNAL' && chain.erased.has(line.id))
    return 'the ledger records the erasure of this signal, but its content is still here';
  // Erased by an ERASURE in the ledger; the rest is proved.
  if (line.detail === null || line.detailSalt === null)
    return line.detail === line.detailSalt ? null : 'only one of detail and its salt is present';
  return detailHash(Buffer.from(line.detailSalt, 'hex'), canonicalJson(line.detail)).equals(entry.detail)
    ? null
    : 'its detail does not match its ledger entry';
}
