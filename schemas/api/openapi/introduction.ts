/** What a newcomer reads first. */
export const introduction = (keyHeader: string): string =>
  `
Checks what applications exchange with language models: hand in a *triplet* (prompt, response, metadata), get a receipt
at once, read the *signal* (risk level, violations, masked explanation) a moment later. Every signal stands in a hash
chain that can be verified. Texts are kept sealed and are never shown again.

## First steps

1. Create a sandbox: \`POST /sandboxes\` says what is looked for and what happens then.
2. Hand in an exchange: \`POST /audit/ingest\` answers 202 with \`auditId\` and a signed receipt.
3. Read the result: \`GET /audits/{id}?wait=5\` holds the answer until the audit is final, then
   \`GET /dashboard/signals/{id}\`.
4. Verify: \`GET /evidence/hash-chain/verify\`.

\`POST /guardian/scan\` looks at a prompt before it is sent to a model, and stores nothing.

## Authentication

Customers send their API key in the header \`${keyHeader}\`. The platform sends its secret in \`x-internal-secret\` to
/internal. Keys do not open /internal, and the secret opens nothing else. What belongs to another customer is answered
like what does not exist.

People sign in with \`POST /sessions\`, and their session works wherever a key does: a cookie, and for changes the header
\`x-csrf-token\` with what signing in answered. With both sent the key counts. API keys are managed with a session alone.

Auditors send a token that a customer gave them (\`POST /evidence/auditors\`) as \`Authorization: Bearer\` to the paths under
/auditor, which only read. Neither keys nor the secret open these, and the token opens nothing else.

/internal, /metrics and /health/ready may have an address of their own, set by who runs the service; the others know
nothing of these paths then.

## Errors

Every error is \`{statusCode, message, error, code, requestId, details?}\`. \`message\` says what to do; programs look at
\`code\`. With \`Accept: application/problem+json\` the same comes as RFC 9457. More codes may be added, so treat an
unknown one like its status. The first check that fails answers: path (404, 405), key or session (401), CSRF token (403), rate (429), size (413),
type (415), JSON and fields (400), Idempotency-Key (409, 422), sandbox (400), quota (403). A known path answers any
other method with 405 and \`Allow\`; HEAD works wherever GET does, without a body. A request that does not arrive in
time gets 408, an address that is too long 414, headers that are too large 431.

## Bodies

JSON in UTF-8; a byte-order mark in front is accepted. Null of an optional field means that it is absent. A key that is
given twice in one object, and a number that a double cannot hold as it is written (an integer above 2^53, say), are
refused with 400 and their position, because a digest could not tell such a body from another: send such numbers as
strings. Ingest takes \`Content-Encoding: gzip\`; \`identity\` is accepted everywhere.

## Rate limits

Each customer has a bucket of requests, each session and each auditor's token one of 10 a second and 50 at once; the headers X-RateLimit-* and RateLimit tell its state with every answer, errors
too. When it is empty: 429 with Retry-After. Reads that look through a history take turns: a few of a customer go on at
once, others wait, and too many that wait get 429 \`TOO_MANY_AT_ONCE\`. Failed authentications, and requests that need no
key or are of no known path, are limited per address.

## Idempotency

Creating requests take an \`Idempotency-Key\` of 1 to 255 printable characters. A repeat within 24 hours gets the first
answer again, with \`Idempotent-Replayed: true\`, and nothing happens twice; with another body it gets 422, while the first
is still under way 409. An answer that showed a secret is repeated without it. Only successes are remembered.

## Lists

\`page\` (from 1) and \`limit\` (1 to 100, default 20; above 100 it is lowered), newest first. \`pagination.nextCursor\` of a
page goes on from there as \`?cursor=\`, at any depth and without rows twice or missing when new ones arrive.

## Dates

ISO 8601, UTC. A date without a time stands for the whole day. \`from\`/\`to\` and \`startDate\`/\`endDate\` mean the same, both
ends included.
`.trim();

export const TAGS: Readonly<Record<string, string>> = {
  audits: 'Handing in triplets and following their analysis.',
  guardian: 'Looking at a prompt before it is sent to a model.',
  sandboxes: 'What is looked for, and what happens when it is found.',
  dashboard: 'What was found: signals, counts and exports.',
  'dead letters': 'Audits whose analysis failed for good, and how to try them again.',
  evidence: 'Proof that nothing was changed or left out.',
  auditor: 'What a customer lets an auditor see: read-only, and each call is on record.',
  account: 'Signing up and in, API keys, and what of a plan is used.',
  internal: 'Of the platform: customers, their API keys, and signals that the platform made itself.',
  ui: 'The dashboard in a browser. Its files are open to all; what they show comes from the other operations.',
  operation: 'Health, metrics and this description. Open to all, without any data of customers.',
};
