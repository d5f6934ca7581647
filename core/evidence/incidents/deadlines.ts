const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How soon after an incident became known an authority, or the persons affected, may have to be notified. */
const NOTIFY_WITHIN_MS: Readonly<Record<string, number>> = {
  GDPR: 72 * HOUR_MS,
  EU_AI_ACT: 15 * DAY_MS,
  HIPAA: 60 * DAY_MS,
};

/** The earliest notification deadline of these regulations, ISO 8601; null: none has one. */
export function notifyBy(regulations: readonly string[], createdAt: string): string | null {
  const known = regulations.filter((regulation) => Object.hasOwn(NOTIFY_WITHIN_MS, regulation));
  if (known.length === 0) return null;
  const within = Math.min(...known.map((regulation) => NOTIFY_WITHIN_MS[regulation]!));
  return new Date(Date.parse(createdAt) + within).toISOString();
}
