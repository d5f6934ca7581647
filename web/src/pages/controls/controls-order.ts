import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import type { ControlStatus } from '#schemas/vocabulary.ts';

/** Gaps first: what nothing is known of, then what is not dealt with. */
export const STATUSES_DOWN: readonly ControlStatus[] = ['NO_EVIDENCE', 'OPEN', 'ADDRESSED', 'CLEAR'];

export const STATUS_TEXTS: Readonly<Record<ControlStatus, string>> = {
  NO_EVIDENCE: 'there is no signal in scope, or no record of what has to be checked',
  OPEN: 'something counts against it that nobody has dealt with, or a check failed',
  ADDRESSED: 'violations count against it, and the serious ones were resolved or dismissed',
  CLEAR: 'nothing counts against it',
};

type Placed = Pick<Attestation, 'status' | 'weight'>;

/** A status that another release knows comes first: it may be news. */
export const gapsFirst = <Row extends Placed>(rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (a, b) => STATUSES_DOWN.indexOf(a.status) - STATUSES_DOWN.indexOf(b.status) || b.weight - a.weight,
  );

/** How an address names a control: ids of controls are unique within their framework. */
export const openOf = ({ framework, controlId }: Pick<Attestation, 'framework' | 'controlId'>): string =>
  `${framework}:${controlId}`;
