import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { isEnded } from './moves.ts';

export interface Deadline {
  readonly at: string;
  /** `tell`: others have to be told by then; `due`: it should be done by then. */
  readonly kind: 'tell' | 'due';
}

/** The first of an incident's dates; null: it has none, or has ended. */
export function deadlineOf({
  status,
  notifyBy,
  dueAt,
}: Pick<ListedIncident, 'status' | 'notifyBy' | 'dueAt'>): Deadline | null {
  if (isEnded(status)) return null;
  if (notifyBy !== null && (dueAt === null || notifyBy <= dueAt)) return { at: notifyBy, kind: 'tell' };
  return dueAt === null ? null : { at: dueAt, kind: 'due' };
}

/** Those with a date, the next one first. */
export const byDeadline = <Row extends Pick<ListedIncident, 'status' | 'notifyBy' | 'dueAt'>>(
  rows: readonly Row[],
): { readonly row: Row; readonly deadline: Deadline }[] =>
  rows
    .flatMap((row) => {
      const deadline = deadlineOf(row);
      return deadline === null ? [] : [{ row, deadline }];
    })
    .sort((a, b) => a.deadline.at.localeCompare(b.deadline.at));

/** `2026-11-22T14:03` of a field without a zone, which is marked UTC, as ISO 8601; undefined: nothing was entered. */
export const utcOf = (local: string): string | undefined => (local === '' ? undefined : `${local}:00Z`);
