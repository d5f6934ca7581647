import { signNote } from '#core/evidence/checkpoint/signed-note.ts';
import { manifestText, prettyJson } from '#core/evidence/package/manifest.ts';
import { assessmentResults } from '#core/evidence/package/oscal.ts';
import { rangeParts } from '#core/evidence/package/range-tree.ts';
import { readmeText } from '#core/evidence/package/readme.ts';
import { attestFramework } from '#records/attestations/attest-framework.ts';
import type { FactDependencies } from '#records/attestations/facts.ts';
import type { CheckpointDependencies } from '#records/ledger/checkpoints.ts';
import { treeHashes } from '#records/ledger/tree-hashes.ts';
import type { ChainRange, Manifest } from '#schemas/api/evidence/evidence-package.ts';
import { type ArchivePart, archiveFile } from './archive-file.ts';
import { entryLines, incidentLines, signalLines } from './package-lines.ts';
import type { PackagePlan } from './package-plan.ts';

export type ContentDependencies = CheckpointDependencies &
  FactDependencies & {
    /** HTML of the page that verifies a package in a browser; the same for all packages of a release. */
    readonly verifyPage: string;
  };

/**
 * The bytes of a package: a function of its request, its checkpoint, the results of verifications, and the release’s
 * page.
 */
export async function packageContent(
  dependencies: ContentDependencies,
  plan: PackagePlan,
  onLines: (count: number) => void,
): Promise<AsyncGenerator<Buffer>> {
  const { customerId, record } = plan;
  const { basis, includeIncidents, includeHashChain } = record;
  const attested = await attestFramework(dependencies, customerId, basis, record.framework, {
    from: plan.selection.from,
    to: plan.selection.to,
  });
  const signed: Omit<Manifest, 'format' | 'notice' | 'files'> = {
    customerId,
    framework: record.framework,
    periodStart: record.startDate,
    periodEnd: record.endDate,
    includeIncidents,
    includeHashChain,
    generatedAt: basis.issuedAt,
    treeSize: basis.size,
    rootHash: basis.root,
    catalogueVersion: attested.coverage.catalogueVersion,
    scope: attested.coverage.scope,
    counts: {
      signals: plan.signals?.count ?? 0,
      incidentEvents: plan.moves?.count ?? 0,
      entries: plan.entries.to - plan.entries.from,
    },
  };
  const { counts, ...about } = signed;
  const { warehouse } = dependencies;
  const parts: ArchivePart[] = [
    textPart('attestations.json', prettyJson(attested.attestations)),
    textPart('checkpoint.txt', basis.note),
    textPart('coverage.json', prettyJson(attested.coverage)),
    textPart('oscal/assessment-results.json', prettyJson(assessmentResults(about, attested.attestations))),
    textPart('verify.html', dependencies.verifyPage),
    { name: 'signals.ndjson', content: () => signalLines(warehouse, plan, onLines) },
  ];
  if (includeIncidents)
    parts.push({ name: 'incidents.ndjson', content: () => incidentLines(warehouse, plan, onLines) });
  if (includeHashChain) {
    parts.push({ name: 'hash-chain/entries.ndjson', content: () => entryLines(warehouse, plan, onLines) });
    parts.push(textPart('hash-chain/range.json', prettyJson(await chainRangeOf(dependencies, plan))));
  }
  const names = [...parts.map(({ name }) => name), 'README.txt' as const].sort();
  parts.push(textPart('README.txt', readmeText(signed, names)));
  const { signingKey, settings } = dependencies;
  return archiveFile({
    issuedAt: basis.issuedAt,
    parts: names.map((name) => parts.find((part) => part.name === name)!),
    manifestText: (files) => manifestText({ ...signed, files }),
    sign: (text) => signNote(text, { ...signingKey, name: settings.ledgerOrigin }),
  });
}

const textPart = (name: ArchivePart['name'], text: string): ArchivePart => ({
  name,
  async *content() {
    yield text;
  },
});

/** Position of the entries in the tree, with the roots that complete it. */
async function chainRangeOf(
  { warehouse, treeHeights }: ContentDependencies,
  { customerId, record, entries }: PackagePlan,
): Promise<ChainRange> {
  const { size, root } = record.basis;
  const { left, right } = rangeParts(entries, size);
  const hashes = await treeHashes(warehouse, customerId, [...left, ...right], treeHeights);
  const all = [...left, ...right].map((part, number) => ({ ...part, hash: hashes[number]!.toString('hex') }));
  return {
    ...entries,
    treeSize: size,
    rootHash: root,
    left: all.slice(0, left.length),
    right: all.slice(left.length),
  };
}
