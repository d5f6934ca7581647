import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import type { ControlStatus } from '#schemas/vocabulary.ts';

/** Gaps first: controls without evidence, then open ones. */
export const STATUSES_DOWN: readonly ControlStatus[] = ['NO_EVIDENCE', 'OPEN', 'ADDRESSED', 'CLEAR'];

export const STATUS_TEXTS: Readonly<Record<ControlStatus, string>> = {
  NO_EVIDENCE: 'No signals in scope, or no records for its checks',
  OPEN: 'Unresolved violations, or a failed check',
  ADDRESSED: 'Violations, but the serious ones are resolved or dismissed',
  CLEAR: 'No violations',
};

/** Replaces the API's notice, which is half a sentence. */
export const NOTICE_TEXT = 'Based on language-model activity only; not a certification.';

type Sortable = Pick<Attestation, 'status' | 'weight'>;

/** An unknown status from another release comes first: it may matter. */
export const gapsFirst = <Row extends Sortable>(rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (a, b) => STATUSES_DOWN.indexOf(a.status) - STATUSES_DOWN.indexOf(b.status) || b.weight - a.weight,
  );

/** A control's name in the address: control ids are unique within their framework. */
export const openOf = ({ framework, controlId }: Pick<Attestation, 'framework' | 'controlId'>): string =>
  `${framework}:${controlId}`;
