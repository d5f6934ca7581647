/** Introduction for customers, shown before the first operation. docs/api.md has the details. */
export const introduction = (keyHeader: string): string =>
  `
Submit prompt/response pairs of your applications, and get a *signal* for each: risk level, violations and a masked
explanation. Signals are recorded in a ledger that you can verify.

1. Create a sandbox: \`POST /sandboxes\`.
2. Submit a prompt/response pair: \`POST /audit/ingest\`.
3. Read the result: \`GET /audits/{id}?wait=5\`, then \`GET /dashboard/signals/{id}\`.

| | |
|---|---|
| Authentication | API key in the \`${keyHeader}\` header. Users: session cookie from \`POST /sessions\`, plus \`x-csrf-token\` for changes. Auditors: \`Authorization: Bearer\`. |
| Errors | \`{statusCode, message, error, code, requestId, details?}\`. Check \`code\`, show \`message\`. RFC 9457 with \`Accept: application/problem+json\`. |
| Rate limits | 429 with \`Retry-After\`. Every response has \`X-RateLimit-*\` headers. |
| Retries | Send an \`Idempotency-Key\`: a repeat within 24 hours returns the first response. |
| Lists | Newest first. \`page\` and \`limit\` (up to 100), or \`cursor\` with \`pagination.nextCursor\`. |
| Dates | ISO 8601, UTC, both ends included. A date without a time means the whole day. |
`.trim();

export const OPERATORS_INTRODUCTION = `
For operators of the service. Send the internal secret (setting INTERNAL_SECRET) in the \`x-internal-secret\` header.
With \`ADMIN_PORT\`, these operations are only served on that port.
`.trim();

/** Groups of operations, in display order. */
export const TAGS: Readonly<Record<string, string>> = {
  Audits: 'Submit prompt/response pairs and follow their analysis.',
  Scans: 'Check a prompt before you send it to a model.',
  Signals: 'Results of audits: list, export and stream.',
  Statistics: 'Counts over time, and reconciliation of all audits.',
  'Failed audits': 'Audits whose analysis failed, and how to replay them.',
  Sandboxes: 'What to detect, and what to do about it.',
  Incidents: 'Follow up on signals, with separation of duties.',
  Patterns: 'Patterns across signals: spikes, campaigns, regressions and more.',
  Policies: 'Limit how many signals of a kind are allowed.',
  Controls: 'Status of the controls of compliance frameworks.',
  Ledger: 'Verify that nothing was changed or left out.',
  Packages: 'Signed evidence archives that can be verified offline.',
  Retention: 'How long signals are kept, legal holds, and erasure.',
  Auditors: 'Give auditors read-only access.',
  'Auditor access': 'What auditors can read with their token. Every request is recorded in the ledger.',
  Accounts: 'Sign up, sign in, and plan usage.',
  'API keys': 'Create and revoke API keys. Requires a session.',
  Customers: 'Customers of the service and their API keys.',
  Partitions: 'Partitions of the event log that are stopped.',
  Health: 'Health and metrics, without customer data.',
  Pages: 'Files of the dashboard and of the API reference. They contain no customer data.',
};
