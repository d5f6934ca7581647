import { type Attested, attest, coverage } from '#core/evidence/frameworks/attest.ts';
import { attestationId } from '#core/evidence/frameworks/attestation-id.ts';
import { CATALOGUES, type Catalogue } from '#core/evidence/frameworks/catalogues.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { type AuditorView, withinPeriod } from '#records/auditors/auditor-view.ts';
import {
  type CheckpointDependencies,
  type CheckpointPlace,
  noteOf,
  readAtCheckpoint,
  type SignedCheckpoint,
} from '#records/ledger/checkpoints.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import {
  type Attestation,
  type FrameworkCoverage,
  type getCoverage,
  type listAttestations as listContract,
  NOTICE,
} from '#schemas/api/evidence/attestations.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import type { Framework } from '#schemas/vocabulary.ts';
import { controlKey, pageOf, placeOf } from '../../operations/paging.ts';
import { type CountedBasis, type FactDependencies, readFacts } from './facts.ts';

type AttestationDependencies = CheckpointDependencies & FactDependencies;

/** What was attested of a framework's controls, in the order of its catalogue. */
interface AttestedFramework {
  readonly catalogue: Catalogue;
  readonly attested: readonly Attested[];
}

export async function listAttestations(
  dependencies: AttestationDependencies,
  customerId: string,
  query: QueryOf<typeof listContract>,
  view: AuditorView | null = null,
): Promise<{ data: Attestation[]; pagination: Pagination }> {
  const place = placeOf(query, controlKey);
  const catalogues = cataloguesOf(query.framework, view);
  const keys = catalogues.flatMap(({ framework, controls }) =>
    controls.map(({ id }) => controlKeyOf(framework, id)),
  );
  const after = place.after === null ? place.offset - 1 : keys.indexOf(place.after[0]);
  // A cursor of a list with another framework.
  if (place.after !== null && after === -1) throw new Refusal('INVALID_CURSOR');
  const basis = basisOf(catalogues, query.range, view, true);
  const { checkpoint, value: frameworks } = await readAtCheckpoint(dependencies, customerId, (place) =>
    attestAt(dependencies, customerId, place, basis),
  );
  const shown = shownBy(dependencies, customerId, checkpoint, basis.range);
  const all = frameworks.flatMap(({ catalogue, attested }) =>
    attested.map((one, number) => shown.attestation(catalogue, one, number)),
  );
  const { rows, pagination } = pageOf(
    all.slice(after + 1, after + 2 + place.limit),
    all.length,
    place,
    ({ framework, controlId }): [string] => [controlKeyOf(framework, controlId)],
  );
  return { data: rows, pagination };
}

/** Of one framework, or a list of all. */
export async function readCoverage(
  dependencies: AttestationDependencies,
  customerId: string,
  { framework, range }: QueryOf<typeof getCoverage>,
  view: AuditorView | null = null,
): Promise<FrameworkCoverage | FrameworkCoverage[]> {
  const counted = basisOf(cataloguesOf(framework, view), range, view, false);
  const { checkpoint, value: frameworks } = await readAtCheckpoint(dependencies, customerId, (place) =>
    attestAt(dependencies, customerId, place, counted),
  );
  const { basis } = shownBy(dependencies, customerId, checkpoint, counted.range);
  const all = frameworks.map(({ catalogue, attested }) => shownCoverage(catalogue, attested, basis));
  return framework === undefined ? all : all[0]!;
}

const shownCoverage = (
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

function cataloguesOf(asked: string | undefined, view: AuditorView | null): readonly Catalogue[] {
  const granted = view?.frameworks ?? null;
  return CATALOGUES.filter(
    ({ framework }) =>
      (asked === undefined || framework === asked) && (granted === null || granted.includes(framework)),
  );
}

/** What an auditor's token shows is part of what is counted; without one (null) it is the customer who asks. */
const basisOf = (
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

const controlKeyOf = (framework: string, controlId: string): string => `${framework} ${controlId}`;

/** What the ledger tells of the controls up to a checkpoint; null: it is empty. */
async function attestAt(
  dependencies: FactDependencies,
  customerId: string,
  checkpoint: CheckpointPlace | null,
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

/** All controls of a framework, and how many there is evidence of, at a checkpoint that was signed before. */
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

/** How what was attested is shown. */
function shownBy(
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
  const place = { customerId, periodStart, periodEnd };
  const { epoch = 0, size = 0, root = null } = checkpoint ?? {};
  const attestation = (catalogue: Catalogue, attested: Attested, number: number): Attestation => {
    const { framework, version, controls } = catalogue;
    const { title, evidenceType, appliesFrom, weight } = controls[number]!;
    const { controlId, ...found } = attested;
    return {
      id: attestationId({ ...place, framework, controlId, version, epoch, size, root }),
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
