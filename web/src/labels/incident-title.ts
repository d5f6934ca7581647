import { inSentence, label } from './label.ts';

const BREACH =
  /^Policy breached: ([A-Z_]+|signals with violations), ([A-Z]+) or above, more than (\d+) in (1 day|\d+ days)$/;

const violationInSentence = (code: string): string => inSentence(label('violation', code));

/** The title of an incident, in words if the service composed it; a title that a person wrote stays as it is. */
export function incidentTitle(title: string, severity: string, violations: readonly string[]): string {
  const start = `${severity} signal`;
  const shown = `${label('riskLevel', severity)}-risk signal`;
  if (title === start) return shown;
  if (title === `${start}: ${violations.join(', ')}`)
    return `${shown}: ${violations.map(violationInSentence).join(', ')}`;
  const [, what, level, allowed, period] = BREACH.exec(title) ?? [];
  if (what === undefined || level === undefined) return title;
  const counted = what === 'signals with violations' ? what : violationInSentence(what);
  return `Policy breached: ${counted}, ${label('riskLevel', level)} or above, more than ${allowed} in ${period}`;
}
