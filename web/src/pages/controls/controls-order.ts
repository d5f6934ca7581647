import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import type { ControlStatus } from '#schemas/vocabulary.ts';

/** Gaps first: what nothing is known of, then what is not dealt with. */
export const STATUSES_DOWN: readonly ControlStatus[] = ['NO_EVIDENCE', 'OPEN', 'ADDRESSED', 'CLEAR'];

export const STATUS_TEXTS: Readonly<Record<ControlStatus, string>> = {
  NO_EVIDENCE: 'No signals in scope, or no records for its checks',
  OPEN: 'Unresolved violations, or a failed check',
  ADDRESSED: 'Violations, but the serious ones are resolved or dismissed',
  CLEAR: 'No violations',
};

/** In place of the notice of the API, which is half a sentence. */
export const NOTICE_TEXT = 'Based on language-model activity only; not a certification.';

type Placed = Pick<Attestation, 'status' | 'weight'>;

/** A status that another release knows comes first: it may be news. */
export const gapsFirst = <Row extends Placed>(rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (a, b) => STATUSES_DOWN.indexOf(a.status) - STATUSES_DOWN.indexOf(b.status) || b.weight - a.weight,
  );

/** How an address names a control: ids of controls are unique within their framework. */
export const openOf = ({ framework, controlId }: Pick<Attestation, 'framework' | 'controlId'>): string =>
  `${framework}:${controlId}`;
