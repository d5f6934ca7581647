import { type Attested, attest, coverage } from '#core/evidence/frameworks/attest.ts';
import { attestationId } from '#core/evidence/frameworks/attestation-id.ts';
import { CATALOGUES, type Catalogue } from '#core/evidence/frameworks/catalogues.ts';
import {
  type Attestation,
  type FrameworkCoverage,
  type getCoverage,
  type listAttestations as listContract,
  NOTICE,
} from '#schemas/api/attestations.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import { ApiError } from '../../../errors.ts';
import { controlKey, pageOf, placeOf } from '../../paging.ts';
import {
  type CheckpointDependencies,
  currentCheckpoint,
  noteOf,
  type SignedCheckpoint,
} from '../tree/checkpoints.ts';
import { type FactDependencies, readFacts } from './facts.ts';

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
): Promise<{ data: Attestation[]; pagination: Pagination }> {
  const place = placeOf(query, controlKey);
  const catalogues = cataloguesOf(query.framework);
  const keys = catalogues.flatMap(({ framework, controls }) =>
    controls.map(({ id }) => controlKeyOf(framework, id)),
  );
  const after = place.after === null ? place.offset - 1 : keys.indexOf(place.after[0]);
  // A cursor of a list with another framework.
  if (place.after !== null && after === -1) throw new ApiError('INVALID_CURSOR');
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  const frameworks = await attestAt(dependencies, customerId, checkpoint, catalogues, query.range);
  const shown = shownBy(dependencies, customerId, checkpoint, query.range);
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
): Promise<FrameworkCoverage | FrameworkCoverage[]> {
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  const catalogues = cataloguesOf(framework);
  const frameworks = await attestAt(dependencies, customerId, checkpoint, catalogues, range);
  const { basis } = shownBy(dependencies, customerId, checkpoint, range);
  const all = frameworks.map(({ catalogue, attested }) => ({
    framework: catalogue.framework,
    scope: attested[0]!.scope,
    ...copied(coverage(attested)),
    ...basis(catalogue),
  }));
  return framework === undefined ? all : all[0]!;
}

const copied = ({ gaps, ...numbers }: ReturnType<typeof coverage>) => ({ ...numbers, gaps: [...gaps] });

const cataloguesOf = (framework: string | undefined): readonly Catalogue[] =>
  framework === undefined ? CATALOGUES : CATALOGUES.filter((one) => one.framework === framework);

const controlKeyOf = (framework: string, controlId: string): string => `${framework} ${controlId}`;

/** What the ledger tells of the controls up to a checkpoint; null: it is empty. */
export async function attestAt(
  dependencies: FactDependencies,
  customerId: string,
  checkpoint: Pick<SignedCheckpoint, 'size' | 'issuedAt'> | null,
  catalogues: readonly Catalogue[],
  range: DateRange,
): Promise<AttestedFramework[]> {
  const asOf = { size: checkpoint?.size ?? 0, at: Date.parse(checkpoint?.issuedAt ?? EPOCH) };
  const facts = await readFacts(dependencies, customerId, catalogues, asOf, range);
  return catalogues.map((catalogue) => {
    const scope = facts.scopeOf(catalogue.framework);
    const attested = catalogue.controls.map((control) =>
      attest(control, scope, facts.mappedOf(catalogue.framework, control), facts.ledger),
    );
    return { catalogue, attested };
  });
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
