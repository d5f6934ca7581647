import { get, ingest, type Mistake, post, SANDBOX, TRIPLET } from './requests.ts';

/** Bodies, values, and configuration names. */
export const BODIES_AND_VALUES: readonly Mistake[] = [
  {
    what: 'a list to ingest',
    request: ingest([TRIPLET]),
    before: '400 INVALID_REQUEST: body: Invalid input: expected object, received array',
    after:
      '400 INVALID_REQUEST: body: Expected one triplet, an object; a list was sent. POST /audit/ingest/batch takes lists',
  },
  {
    what: 'NDJSON to ingest',
    request: ingest(JSON.stringify(TRIPLET), { 'content-type': 'application/x-ndjson' }),
    before: '415 UNSUPPORTED_MEDIA_TYPE: Send the body as application/json, in UTF-8',
    after:
      '415 UNSUPPORTED_MEDIA_TYPE: Send the body as application/json, in UTF-8; application/x-ndjson goes to POST /audit/ingest/batch',
  },
  {
    what: 'one triplet to batch',
    request: post('/audit/ingest/batch', TRIPLET),
    before:
      '400 INVALID_REQUEST: body: send an array of triplets, or one triplet per line as application/x-ndjson',
    after:
      '400 INVALID_REQUEST: body: send an array of triplets, or one triplet per line as application/x-ndjson',
  },
  {
    what: 'single quotes',
    request: ingest("{'prompt': 'Hello'}"),
    before: '400 INVALID_JSON: The body is not valid JSON',
    after: '400 INVALID_JSON: The body is not valid JSON: line 1, column 2: use double quotes (")',
  },
  {
    what: "Python's True",
    request: post('/sandboxes', '{"active": True}'),
    before: '400 INVALID_JSON: The body is not valid JSON',
    after:
      '400 INVALID_JSON: The body is not valid JSON: line 1, column 12: write true, false or null, in lower case',
  },
  {
    what: 'a line break inside a text',
    request: ingest('{"prompt": "Hello\nyou"}'),
    before: '400 INVALID_JSON: The body is not valid JSON',
    after:
      '400 INVALID_JSON: The body is not valid JSON: line 1, column 18: a line break or control character inside a string; write it as \\n, \\t or \\u',
  },
  {
    what: 'a body that was cut off',
    request: ingest('{"prompt": "Hello"'),
    before: '400 INVALID_JSON: The body is not valid JSON',
    after:
      '400 INVALID_JSON: The body is not valid JSON: line 1, column 19: the body ends before the object is closed with "}"',
  },
  {
    what: 'a risk level in lower case',
    request: get('/dashboard/signals?riskLevel=high'),
    before:
      '400 INVALID_REQUEST: riskLevel: one of LOW, MEDIUM, HIGH, CRITICAL, or several separated by commas',
    after:
      '400 INVALID_REQUEST: riskLevel: one of LOW, MEDIUM, HIGH, CRITICAL, or several separated by commas; did you mean HIGH?',
  },
  {
    what: 'an action by half its name',
    request: post('/sandboxes', { ...SANDBOX, guardianAction: 'BLOCK' }),
    before:
      '400 INVALID_REQUEST: guardianAction: Invalid option: expected one of "ALLOW_ALL"|"REDACT_AND_CONTINUE"|"BLOCK_ON_DETECT"',
    after:
      '400 INVALID_REQUEST: guardianAction: Expected one of ALLOW_ALL, REDACT_AND_CONTINUE, BLOCK_ON_DETECT; did you mean BLOCK_ON_DETECT?',
  },
  {
    what: 'a type in lower case',
    request: post('/sandboxes', { ...SANDBOX, sandboxType: 'pii_detection' }),
    before:
      '400 INVALID_REQUEST: sandboxType: Invalid option: expected one of "PII_DETECTION"|"BIAS_DETECTION"|"SECURITY_AUDIT"|"PROMPT_INJECTION"|"AGENT_SAFETY"|"HALLUCINATION_DETECTION"|"CONTENT_POLICY"|"FINANCIAL_COMPLIANCE"|"LEGAL_COMPLIANCE"|"FULL_SPECTRUM"|"CUSTOM"',
    after:
      '400 INVALID_REQUEST: sandboxType: Expected one of PII_DETECTION, BIAS_DETECTION, SECURITY_AUDIT, PROMPT_INJECTION, AGENT_SAFETY, HALLUCINATION_DETECTION, CONTENT_POLICY, FINANCIAL_COMPLIANCE, LEGAL_COMPLIANCE, FULL_SPECTRUM, CUSTOM; did you mean PII_DETECTION?',
  },
  {
    what: 'a slug with a blank and capitals',
    request: post('/sandboxes', { ...SANDBOX, slug: 'My App' }),
    before: '400 INVALID_REQUEST: slug: Invalid string: must match pattern /^[a-z0-9]+([_-][a-z0-9]+)*$/',
    after:
      '400 INVALID_REQUEST: slug: use lower-case letters and digits, with single - or _ between them: my-app',
  },
  {
    what: 'a field of a sandbox that is misspelt',
    request: post('/sandboxes', { ...SANDBOX, alertTreshold: 'LOW' }),
    before: '201',
    after: '400 INVALID_REQUEST: Unknown field "alertTreshold": did you mean "alertThreshold"?',
  },
  {
    what: 'a record sent back whole',
    request: post('/sandboxes', { ...SANDBOX, createdAt: '2026-11-01T00:00:00.000Z' }),
    before: '409 SANDBOX_EXISTS: A sandbox with this slug exists already (- and _ count as equal)',
    after: '400 INVALID_REQUEST: Unknown field "createdAt": the service sets it, leave it out',
  },
  {
    what: 'the size of a page by another name',
    request: get('/audits?pageSize=50'),
    before: '200',
    after: '400 INVALID_REQUEST: Unknown parameter "pageSize": did you mean "limit"?',
  },
  {
    what: 'the start of a period by another name',
    request: get('/dashboard/stats?since=2026-11-01'),
    before: '200',
    after: '400 INVALID_REQUEST: Unknown parameter "since": did you mean "from"?',
  },
  {
    what: 'a parameter where there is none',
    request: get('/usage?month=11'),
    before: '200',
    after: '400 INVALID_REQUEST: Unknown parameter "month": this operation takes no parameters',
  },
  {
    what: 'a misspelt filter of a replay',
    request: post('/dead-letters/replay', { filter: { reasons: 'CRASHED' } }),
    before: '400 INVALID_REQUEST: filter: Unrecognized key: "reasons"',
    after: '400 INVALID_REQUEST: filter: Unknown field "reasons": did you mean "reason"?',
  },
  {
    what: 'a system prompt in snake case',
    request: post('/guardian/scan', {
      sandbox: 'customer-support',
      userInput: 'Hello',
      system_prompt: 'Be kind',
    }),
    before: '200',
    after: '400 INVALID_REQUEST: Unknown field "system_prompt": did you mean "systemPrompt"?',
  },
  {
    what: 'a misspelt rule of a policy',
    request: post('/evidence/policies', {
      name: 'One',
      framework: 'GDPR',
      rules: [{ code: 'EMAIL', max: 3 }],
    }),
    before: '201',
    after:
      '400 INVALID_REQUEST: rules.0: Unknown field "max": this object takes code, minRiskLevel, maxCount, windowDays, action',
  },
  {
    what: 'an id that is none',
    request: get('/audits/1'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found: ids are UUIDs in lower case, and this one is not',
  },
  {
    what: 'a misspelt slug in the path',
    request: get('/sandboxes/custmer-support'),
    before: '404 NOT_FOUND: Not found',
    after: '404 NOT_FOUND: Not found. No sandbox "custmer-support". Did you mean "customer-support"?',
  },
  {
    what: "a key where a parameter's name belongs",
    request: get(`/audits?cas_${'a'.repeat(48)}`),
    before: '200',
    after:
      '400 INVALID_REQUEST: Unknown parameter (name withheld): this operation takes sandboxSlug, provider, model, status, riskLevel, erased, from, to, startDate, endDate, page, limit, cursor',
  },
  {
    what: 'a date in another order',
    request: get('/audits?from=30.11.2026'),
    before: '400 INVALID_REQUEST: from: from is an ISO 8601 date or timestamp',
    after:
      '400 INVALID_REQUEST: from: Expected an ISO 8601 date or timestamp, such as 2026-11-30 or 2026-11-30T09:30:00Z',
  },
  {
    what: 'a page beyond the maximum',
    request: get('/dashboard/signals?page=999999999999'),
    before: '400 INVALID_REQUEST: page: page must be a whole number of at least 1',
    after: '400 INVALID_REQUEST: page: Expected a whole number from 1 to 999999999',
  },
  {
    what: 'a limit that is not a number',
    request: get('/audits?limit=all'),
    before: '400 INVALID_REQUEST: limit: limit must be a whole number of at least 1',
    after: '400 INVALID_REQUEST: limit: Expected a whole number from 1 to 999999999',
  },
  {
    what: 'an empty name',
    request: post('/sandboxes', { ...SANDBOX, name: '' }),
    before: '400 INVALID_REQUEST: name: Too small: expected string to have >=1 characters',
    after: '400 INVALID_REQUEST: name: Expected at least 1 character',
  },
  {
    what: 'a number instead of a name',
    request: post('/sandboxes', { ...SANDBOX, name: 7 }),
    before: '400 INVALID_REQUEST: name: Invalid input: expected string, received number',
    after: '400 INVALID_REQUEST: name: Expected a string; a number was sent',
  },
  {
    what: 'a slug that exists',
    request: post('/sandboxes', { ...SANDBOX, slug: 'customer_support' }),
    before: '409 SANDBOX_EXISTS: A sandbox with this slug exists already (- and _ count as equal)',
    after:
      '409 SANDBOX_EXISTS: A sandbox with this slug already exists (- and _ are equivalent). Choose another slug, or update that sandbox.',
  },
  {
    what: 'an unknown field of a sign-in',
    request: post('/sessions', { email: 'ann@example.org', password: 'never shown', zone: 'x' }),
    by: 'nobody',
    before: '400 INVALID_REQUEST: body: send email and password, or linkToken',
    after: '400 INVALID_REQUEST: Unknown field "zone": this object takes email, password, linkToken',
  },
  {
    what: 'a customer that the platform misspells',
    request: post('/internal/customers', { name: 'One', type: 'COMPANY', pln: 'PRO' }),
    by: 'platform',
    before: '201',
    after: '400 INVALID_REQUEST: Unknown field "pln": did you mean "plan"?',
  },
  {
    what: 'a user name instead of an email',
    request: post('/sessions', { username: 'ann@example.org', password: 'never shown' }),
    by: 'nobody',
    before: '400 INVALID_REQUEST: body: send email and password, or linkToken',
    after: '400 INVALID_REQUEST: Unknown field "username": did you mean "email"?',
  },
  {
    what: 'a scope of a run that there is not',
    request: post('/evidence/correlations/detect', { windowHours: 1 }),
    before: '201',
    after:
      '400 INVALID_REQUEST: Unknown field "windowHours": this object takes from, to, startDate, endDate, sandboxSlug, windowMinutes, minSignals, dimensions',
  },
];
