import { type Attested, attest, coverage } from '#core/evidence/frameworks/attest.ts';
import { attestationId } from '#core/evidence/frameworks/attestation-id.ts';
import { CATALOGUES, type Catalogue } from '#core/evidence/frameworks/catalogues.ts';
import { type Attestation, type FrameworkCoverage, NOTICE } from '#schemas/api/evidence/attestations.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Framework } from '#schemas/vocabulary.ts';
import { type AuditorView, withinPeriod } from '../auditors/auditor-view.ts';
import {
  type CheckpointDependencies,
  type CheckpointTarget,
  noteOf,
  type SignedCheckpoint,
} from '../ledger/checkpoints.ts';
import { type CountedBasis, type FactDependencies, readFacts } from './facts.ts';

export type AttestationDependencies = CheckpointDependencies & FactDependencies;

/** Attestations of a framework's controls, in catalogue order. */
interface AttestedFramework {
  readonly catalogue: Catalogue;
  readonly attested: readonly Attested[];
}

export const shownCoverage = (
  catalogue: Catalogue,
  attested: readonly Attested[],
  basis: ReturnType<typeof shownBy>['basis'],
): FrameworkCoverage => ({
  framework: catalogue.framework,
  scope: attested[0]!.scope,
  ...copied(coverage(attested)),
  ...basis(catalogue),
});

const copied = ({ gaps, ...numbers }: ReturnType<typeof coverage>) => ({ ...numbers, gaps: [...gaps] });

export function cataloguesOf(asked: string | undefined, view: AuditorView | null): readonly Catalogue[] {
  const granted = view?.frameworks ?? null;
  return CATALOGUES.filter(
    ({ framework }) =>
      (asked === undefined || framework === asked) && (granted === null || granted.includes(framework)),
  );
}

/** With an auditor's token, only what the token shows is counted; null: the customer asks. */
export const basisOf = (
  catalogues: readonly Catalogue[],
  range: DateRange,
  view: AuditorView | null,
  withSamples: boolean,
): CountedBasis => ({
  catalogues,
  range: view === null ? range : withinPeriod(view, range),
  namedOnly: (view?.frameworks ?? null) !== null,
  withSamples,
});

/** Attests the controls from the ledger up to a checkpoint; null: the ledger is empty. */
export async function attestAt(
  dependencies: FactDependencies,
  customerId: string,
  checkpoint: CheckpointTarget | null,
  basis: CountedBasis,
): Promise<AttestedFramework[]> {
  const asOf = { size: checkpoint?.size ?? 0, at: Date.parse(checkpoint?.issuedAt ?? EPOCH) };
  const facts = await readFacts(dependencies, customerId, basis, asOf);
  return basis.catalogues.map((catalogue) => {
    const scope = facts.scopeOf(catalogue.framework);
    const attested = catalogue.controls.map((control) =>
      attest(control, scope, facts.mappedOf(catalogue.framework, control), facts.ledger),
    );
    return { catalogue, attested };
  });
}

/** All controls of a framework and their coverage, at an earlier checkpoint. */
export async function attestFramework(
  dependencies: AttestationDependencies,
  customerId: string,
  checkpoint: SignedCheckpoint,
  framework: Framework,
  range: DateRange,
): Promise<{ readonly attestations: Attestation[]; readonly coverage: FrameworkCoverage }> {
  const counted = basisOf(cataloguesOf(framework, null), range, null, true);
  const [found] = await attestAt(dependencies, customerId, checkpoint, counted);
  const shown = shownBy(dependencies, customerId, checkpoint, range);
  const { catalogue, attested } = found!;
  return {
    attestations: attested.map((one, number) => shown.attestation(catalogue, one, number)),
    coverage: shownCoverage(catalogue, attested, shown.basis),
  };
}

const EPOCH = '1970-01-01T00:00:00.000Z';

const timeOf = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

/** Builds attestations as the API shows them. */
export function shownBy(
  dependencies: CheckpointDependencies,
  customerId: string,
  checkpoint: SignedCheckpoint | null,
  range: DateRange,
) {
  const [periodStart, periodEnd] = [timeOf(range.from), timeOf(range.to)];
  const note = checkpoint === null ? null : noteOf(dependencies, customerId, checkpoint);
  const basis = ({ version }: Catalogue) => ({
    periodStart,
    periodEnd,
    catalogueVersion: version,
    checkpoint: note,
    generatedAt: checkpoint?.issuedAt ?? null,
    notice: NOTICE as typeof NOTICE,
  });
  const identity = { customerId, periodStart, periodEnd };
  const { epoch = 0, size = 0, root = null } = checkpoint ?? {};
  const attestation = (catalogue: Catalogue, attested: Attested, number: number): Attestation => {
    const { framework, version, controls } = catalogue;
    const { title, evidenceType, appliesFrom, weight } = controls[number]!;
    const { controlId, ...found } = attested;
    return {
      id: attestationId({ ...identity, framework, controlId, version, epoch, size, root }),
      framework,
      controlId,
      title,
      evidenceType,
      ...found,
      sampleSignalIds: [...found.sampleSignalIds],
      checks: [...found.checks],
      appliesFrom,
      weight,
      ...basis(catalogue),
    };
  };
  return { basis, attestation };
}
