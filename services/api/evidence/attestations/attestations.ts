import { Refusal } from '#platform/flow/refusal.ts';
import {
  type AttestationDependencies,
  attestAt,
  basisOf,
  cataloguesOf,
  shownBy,
  shownCoverage,
} from '#records/attestations/attest-framework.ts';
import type { AuditorView } from '#records/auditors/auditor-view.ts';
import { readAtCheckpoint } from '#records/ledger/checkpoints.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import type {
  Attestation,
  FrameworkCoverage,
  getCoverage,
  listAttestations as listContract,
} from '#schemas/api/evidence/attestations.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import { controlKey, pageOf, pageStart } from '../../operations/paging.ts';

export async function listAttestations(
  dependencies: AttestationDependencies,
  customerId: string,
  query: QueryOf<typeof listContract>,
  view: AuditorView | null = null,
): Promise<{ data: Attestation[]; pagination: Pagination }> {
  const start = pageStart(query, controlKey);
  const catalogues = cataloguesOf(query.framework, view);
  const keys = catalogues.flatMap(({ framework, controls }) =>
    controls.map(({ id }) => controlKeyOf(framework, id)),
  );
  const after = start.after === null ? start.offset - 1 : keys.indexOf(start.after[0]);
  // The cursor comes from a list of another framework.
  if (start.after !== null && after === -1) throw new Refusal('INVALID_CURSOR');
  const basis = basisOf(catalogues, query.range, view, true);
  const { checkpoint, value: frameworks } = await readAtCheckpoint(dependencies, customerId, (start) =>
    attestAt(dependencies, customerId, start, basis),
  );
  const shown = shownBy(dependencies, customerId, checkpoint, basis.range);
  const all = frameworks.flatMap(({ catalogue, attested }) =>
    attested.map((one, number) => shown.attestation(catalogue, one, number)),
  );
  const { rows, pagination } = pageOf(
    all.slice(after + 1, after + 2 + start.limit),
    all.length,
    start,
    ({ framework, controlId }): [string] => [controlKeyOf(framework, controlId)],
  );
  return { data: rows, pagination };
}

/** Coverage of one framework, or a list of all. */
export async function readCoverage(
  dependencies: AttestationDependencies,
  customerId: string,
  { framework, range }: QueryOf<typeof getCoverage>,
  view: AuditorView | null = null,
): Promise<FrameworkCoverage | FrameworkCoverage[]> {
  const counted = basisOf(cataloguesOf(framework, view), range, view, false);
  const { checkpoint, value: frameworks } = await readAtCheckpoint(dependencies, customerId, (start) =>
    attestAt(dependencies, customerId, start, counted),
  );
  const { basis } = shownBy(dependencies, customerId, checkpoint, counted.range);
  const all = frameworks.map(({ catalogue, attested }) => shownCoverage(catalogue, attested, basis));
  return framework === undefined ? all : all[0]!;
}

const controlKeyOf = (framework: string, controlId: string): string => `${framework} ${controlId}`;
