import { get, ingest, type Mistake, post, TRIPLET, WITHOUT_PROMPT, WITHOUT_SLUG } from './requests.ts';

/** Keys, paths, and the names in an ingest. */
export const REQUESTS_AND_KEYS: readonly Mistake[] = [
  {
    what: 'a key of another shape',
    request: get('/sandboxes', { 'x-service-key': 'sk-12345' }),
    by: 'nobody',
    before: '401 INVALID_KEY: Invalid API key',
    after:
      '401 INVALID_KEY: Invalid API key (x-service-key: Keys start with cas_ and have 52 characters; this one starts otherwise and has 8)',
  },
  {
    what: 'Authorization: Bearer instead of the header',
    request: get('/sandboxes', { authorization: `Bearer cas_${'a'.repeat(48)}` }),
    by: 'nobody',
    before: '401 MISSING_KEY: Missing x-service-key header',
    after:
      '401 MISSING_KEY: Missing x-service-key header (x-service-key: Found Authorization, which this operation does not read: send the key as x-service-key)',
  },
  {
    what: 'a sandbox that is misspelt',
    request: ingest({ ...TRIPLET, sandboxSlug: 'customer-suport' }),
    before: '400 SANDBOX_NOT_FOUND: Sandbox not found',
    after:
      '400 SANDBOX_NOT_FOUND: Sandbox not found (sandboxSlug: No sandbox "customer-suport". Did you mean "customer-support"?)',
  },
  {
    what: 'a sandbox that there is not',
    request: ingest({ ...TRIPLET, sandboxSlug: 'nowhere' }),
    before: '400 SANDBOX_NOT_FOUND: Sandbox not found',
    after:
      '400 SANDBOX_NOT_FOUND: Sandbox not found (sandboxSlug: No sandbox "nowhere". GET /sandboxes lists yours)',
  },
  {
    what: 'JSON with a comma too many',
    request: ingest('{"prompt": "Hello",}'),
    before: '400 INVALID_JSON: The body is not valid JSON',
    after:
      '400 INVALID_JSON: The body is not valid JSON: line 1, column 20: a value is missing before "}", or a comma is one too many',
  },
  {
    what: 'a misspelt field of an ingest',
    request: ingest({ ...WITHOUT_PROMPT, promt: 'Hello' }),
    before: '400 INVALID_REQUEST: prompt: this field is required',
    after:
      '400 INVALID_REQUEST: Unknown field "promt": did you mean "prompt"? (prompt: this field is required)',
  },
  {
    what: 'a filter that there is not',
    request: get('/dashboard/signals/export?risk=HIGH'),
    before: '200',
    after: '400 INVALID_REQUEST: Unknown parameter "risk": did you mean "riskLevel"?',
  },
  {
    what: 'fields of a policy that there are not',
    request: post('/evidence/policies', {
      name: 'One',
      framework: 'GDPR',
      enforced: true,
      sandbox: 'customer-support',
    }),
    before: '201',
    after:
      '400 INVALID_REQUEST: Unknown field "enforced": did you mean "enforcement"? Unknown field "sandbox": did you mean "sandboxSlugs"?',
  },
  {
    what: 'missing fields',
    request: ingest({}),
    before: '400 INVALID_REQUEST: sandboxSlug: this field is required',
    after: '400 INVALID_REQUEST: sandboxSlug: this field is required',
  },
  {
    what: 'another content type',
    request: ingest('prompt=Hello', { 'content-type': 'application/x-www-form-urlencoded' }),
    before: '415 UNSUPPORTED_MEDIA_TYPE: Send the body as application/json, in UTF-8',
    after:
      '415 UNSUPPORTED_MEDIA_TYPE: Send the body as application/json, in UTF-8; the Content-Type was application/x-www-form-urlencoded',
  },
  {
    what: 'a body of 17 MiB',
    request: ingest(Buffer.alloc(17 * 2 ** 20, ' ') as never, { 'content-type': 'application/json' }),
    before: '413 BODY_TOO_LARGE: The body is too large',
    after:
      '413 BODY_TOO_LARGE: The body is larger than the 16 MiB that this operation takes; send many triplets as several bodies to POST /audit/ingest/batch, as JSON or NDJSON',
  },
  {
    what: 'a prompt as chat messages',
    request: ingest({ ...TRIPLET, prompt: [{ role: 'user', content: 'Hello' }] }),
    before: '202',
    after: '202',
  },
  {
    what: 'a prompt as a list of something else',
    request: ingest({ ...TRIPLET, prompt: [{ from: 'user' }] }),
    before:
      '400 INVALID_REQUEST: prompt: Expected a text, or a list of messages {role, content}; a list of something else was sent',
    after:
      '400 INVALID_REQUEST: prompt: Expected a string, or a list of messages {role, content}; a list of something else was sent',
  },
  {
    what: 'a path in the plural',
    request: post('/audits/ingest', TRIPLET),
    before: '405 METHOD_NOT_ALLOWED: Method not allowed',
    after: '404 NOT_FOUND: Not found: there is no POST /audits/ingest. Did you mean POST /audit/ingest?',
  },
  {
    what: 'a path with a version',
    request: get('/api/v1/sandboxes'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found: there is no GET /api/v1/sandboxes. Did you mean GET /sandboxes?',
  },
  {
    what: 'a path without its first part',
    request: get('/signals'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found: there is no GET /signals. Did you mean GET /dashboard/signals?',
  },
  {
    what: 'a slash at the end',
    request: get('/sandboxes/'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found: there is no GET /sandboxes/. Did you mean GET /sandboxes?',
  },
  {
    what: 'a path in the singular',
    request: get('/sandbox'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found: there is no GET /sandbox. Did you mean GET /sandboxes?',
  },
  {
    what: 'GET of what is posted',
    request: get('/audit/ingest'),
    before: '405 METHOD_NOT_ALLOWED: Method not allowed',
    after: '405 METHOD_NOT_ALLOWED: Method not allowed: this path takes POST, not GET',
  },
  {
    what: 'a key with "Bearer" in front',
    request: get('/sandboxes', { 'x-service-key': `Bearer cas_${'a'.repeat(48)}` }),
    by: 'nobody',
    before: '401 INVALID_KEY: Invalid API key',
    after:
      '401 INVALID_KEY: Invalid API key (x-service-key: Send the key alone, without "Bearer". Keys start with cas_ and have 52 characters)',
  },
  {
    what: 'a key in quotes',
    request: get('/sandboxes', { 'x-service-key': `"cas_${'a'.repeat(48)}"` }),
    by: 'nobody',
    before: '401 INVALID_KEY: Invalid API key',
    after:
      '401 INVALID_KEY: Invalid API key (x-service-key: Send the key without quotes. Keys start with cas_ and have 52 characters)',
  },
  {
    what: 'a key that was cut while copying',
    request: get('/sandboxes', { 'x-service-key': `cas_${'a'.repeat(47)}` }),
    by: 'nobody',
    before: '401 INVALID_KEY: Invalid API key',
    after:
      '401 INVALID_KEY: Invalid API key (x-service-key: Keys start with cas_ and have 52 characters; this one has 51)',
  },
  {
    what: 'a key in x-api-key',
    request: get('/sandboxes', { 'x-api-key': `cas_${'a'.repeat(48)}` }),
    by: 'nobody',
    before: '401 MISSING_KEY: Missing x-service-key header',
    after:
      '401 MISSING_KEY: Missing x-service-key header (x-service-key: Found x-api-key: send the key as x-service-key)',
  },
  {
    what: 'a key in the address',
    request: get(`/sandboxes?api_key=cas_${'a'.repeat(48)}`),
    by: 'nobody',
    before: '401 MISSING_KEY: Missing x-service-key header',
    after:
      '401 MISSING_KEY: Missing x-service-key header (x-service-key: Found a key in the address, where logs keep it: send it as x-service-key, and revoke this one)',
  },
  {
    what: "an API key for an auditor's path",
    request: get('/auditor/signals', { authorization: `Bearer cas_${'a'.repeat(48)}` }),
    by: 'nobody',
    before: '401 INVALID_AUDITOR_TOKEN: Invalid auditor token',
    after:
      '401 INVALID_AUDITOR_TOKEN: Invalid auditor token (authorization: This is an API key, which opens no path under /auditor: send the token of an auditor)',
  },
  {
    what: "an auditor's token as a key",
    request: get('/sandboxes', { 'x-service-key': `aud_${'a'.repeat(64)}` }),
    by: 'nobody',
    before: '401 INVALID_KEY: Invalid API key',
    after:
      '401 INVALID_KEY: Invalid API key (x-service-key: This is an auditor’s token: send it as "Authorization: Bearer" to the paths under /auditor)',
  },
  {
    what: 'names in snake case',
    request: ingest({ ...WITHOUT_SLUG, sandbox_slug: 'customer-support' }),
    before: '400 INVALID_REQUEST: sandboxSlug: this field is required',
    after:
      '400 INVALID_REQUEST: Unknown field "sandbox_slug": did you mean "sandboxSlug"? (sandboxSlug: this field is required)',
  },
  {
    what: 'the name that scans use',
    request: ingest({ ...WITHOUT_SLUG, sandbox: 'customer-support' }),
    before: '400 INVALID_REQUEST: sandboxSlug: this field is required',
    after:
      '400 INVALID_REQUEST: Unknown field "sandbox": did you mean "sandboxSlug"? (sandboxSlug: this field is required)',
  },
  {
    what: 'messages instead of a prompt',
    request: ingest({ ...WITHOUT_PROMPT, messages: [{ role: 'user', content: 'Hello' }] }),
    before: '400 INVALID_REQUEST: prompt: this field is required',
    after:
      '400 INVALID_REQUEST: Unknown field "messages": did you mean "prompt"? (prompt: this field is required)',
  },
];
