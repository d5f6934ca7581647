import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { isEnded } from './moves.ts';

export interface Deadline {
  readonly at: string;
  /** `tell`: authorities or others must be notified by then; `due`: the work should be done by then. */
  readonly kind: 'tell' | 'due';
}

/** The earlier of an incident's deadlines; null when it has none, or has ended. */
export function deadlineOf({
  status,
  notifyBy,
  dueAt,
}: Pick<ListedIncident, 'status' | 'notifyBy' | 'dueAt'>): Deadline | null {
  if (isEnded(status)) return null;
  if (notifyBy !== null && (dueAt === null || notifyBy <= dueAt)) return { at: notifyBy, kind: 'tell' };
  return dueAt === null ? null : { at: dueAt, kind: 'due' };
}

/** Incidents with a deadline, the next one first. */
export const byDeadline = <Row extends Pick<ListedIncident, 'status' | 'notifyBy' | 'dueAt'>>(
  rows: readonly Row[],
): { readonly row: Row; readonly deadline: Deadline }[] =>
  rows
    .flatMap((row) => {
      const deadline = deadlineOf(row);
      return deadline === null ? [] : [{ row, deadline }];
    })
    .sort((a, b) => a.deadline.at.localeCompare(b.deadline.at));

/** `2026-11-22T14:03` from a field that is marked UTC, as ISO 8601; undefined when the field is empty. */
export const utcOf = (local: string): string | undefined => (local === '' ? undefined : `${local}:00Z`);
