import { needsCsrfToken, type RouteContract } from '../contract.ts';
import type { Json } from './json-schema.ts';
import { EXAMPLES } from './request-examples.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** How callers authenticate; if a key works too, a session is not shown. */
function credentialsOf(contract: RouteContract, keyHeader: string): readonly string[] {
  if (contract.auth === 'key') return [`-H "${keyHeader}: $API_KEY"`];
  if (contract.auth === 'internal') return ['-H "x-internal-secret: $INTERNAL_SECRET"'];
  if (contract.auth === 'auditor') return ['-H "Authorization: Bearer $AUDITOR_TOKEN"'];
  if (contract.auth === 'none') return [];
  return ['-b "$COOKIE_FILE"', ...(needsCsrfToken(contract) ? ['-H "x-csrf-token: $CSRF_TOKEN"'] : [])];
}

/**
 * A curl command with the operation's example, as `x-codeSamples`. `required`: query parameters that must be present.
 */
export function codeSample(contract: RouteContract, keyHeader: string, required: readonly string[]): Json {
  const { path = {}, query = {}, body } = EXAMPLES[contract.operationId] ?? {};
  const parts = contract.path.split('/').map((part) => (part.startsWith(':') ? path[part.slice(1)] : part));
  const search = required.map((name, at) => `${at === 0 ? '?' : '&'}${name}=${query[name]}`).join('');
  const lines = [
    `curl ${contract.method === 'GET' ? '' : `-X ${contract.method} `}"$BASE_URL${parts.join('/')}${search}"`,
    ...credentialsOf(contract, keyHeader),
    ...(body === undefined
      ? []
      : ['-H "content-type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return { lang: 'Shell', label: 'curl', source: lines.join(' \\\n  ') };
}
