import { parseDate } from '#schemas/api/fields/dates.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import type { CorrelationRow } from '#schemas/tables/tables.ts';

/**
 * Row of a finding. Null when the table would refuse the row, which would stop the partition, or when the row could not
 * be read back, which would break every list of the customer's findings.
 */
export const findingRow = (finding: CorrelationFinding): CorrelationRow | null =>
  isStorable(finding) ? { ...finding } : null;

const isStorable = ({ version, foundAt, changedAt, score, pattern, settings }: CorrelationFinding): boolean =>
  Number.isSafeInteger(version) &&
  version >= 0 &&
  isTime(foundAt) &&
  isTime(changedAt) &&
  Number.isFinite(score) &&
  isJson(pattern) &&
  isJson(settings);

function isTime(text: string): boolean {
  const at = parseDate(text, false);
  return at !== null && new Date(at).toISOString() === text;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
