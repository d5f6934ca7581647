import { inSentence, label } from './label.ts';

const BREACH =
  /^Policy breached: ([A-Z_]+|signals with violations) from ([A-Z]+) on, more than (\d+) in (\d+) days$/;

const violationInSentence = (code: string): string => inSentence(label('violation', code));

/** The title of an incident, in words if the service composed it; a title that a person wrote stays as it is. */
export function incidentTitle(title: string, severity: string, violations: readonly string[]): string {
  const start = `${severity} signal`;
  const shown = `${label('riskLevel', severity)}-risk signal`;
  if (title === start) return shown;
  if (title === `${start}: ${violations.join(', ')}`)
    return `${shown}: ${violations.map(violationInSentence).join(', ')}`;
  const [, what, level, allowed, days] = BREACH.exec(title) ?? [];
  if (what === undefined || level === undefined) return title;
  const counted = what === 'signals with violations' ? what : violationInSentence(what);
  const within = days === '1' ? '1 day' : `${days} days`;
  return `Policy breached: ${counted}, ${label('riskLevel', level)} or above, more than ${allowed} in ${within}`;
}
