import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { AUDITOR_TOKEN_PREFIX } from '#records/auditors/issue-auditor.ts';
import { API_KEY_PREFIX } from '#records/keys/api-keys.ts';

/** Hints for clients that send a key in the wrong header or form. No part of a key is repeated. */

const KEY_DIGITS = 48;
const KEY_LENGTH = API_KEY_PREFIX.length + KEY_DIGITS;

/** The message is fixed; a detail says where the key seems to be instead of its header. */
export function missingKey(request: FastifyRequest, keyHeader: string): Refusal {
  const hint = elsewhere(request, keyHeader);
  return new Refusal('MISSING_KEY', {
    message: `Missing ${keyHeader} header`,
    ...(hint === null ? {} : { details: [{ path: keyHeader, message: hint }] }),
  });
}

function elsewhere({ headers, query }: FastifyRequest, keyHeader: string): string | null {
  if (headers.authorization !== undefined)
    return `Found Authorization, which this operation does not read: send the key as ${keyHeader}`;
  const known = ['x-api-key', 'api-key', 'apikey', 'x-service-key'].find(
    (name) => name !== keyHeader && headers[name] !== undefined,
  );
  if (known !== undefined) return `Found ${known}: send the key as ${keyHeader}`;
  const isInAddress = Object.values(query as object).some((value) =>
    String(value).startsWith(API_KEY_PREFIX),
  );
  return isInAddress
    ? `Found a key in the address, where logs keep it: send it as ${keyHeader}, and revoke this one`
    : null;
}

/** The message is the same as for an unknown key; a detail says what is wrong with its form. */
export const malformedKey = (keyHeader: string, key: string): Refusal =>
  new Refusal('INVALID_KEY', { details: [{ path: keyHeader, message: formFault(key) }] });

function formFault(key: string): string {
  const expected = `Keys start with ${API_KEY_PREFIX} and have ${KEY_LENGTH} characters`;
  if (/^bearer\s/i.test(key)) return `Send the key alone, without "Bearer". ${expected}`;
  if (/^["']|["']$/.test(key)) return `Send the key without quotes. ${expected}`;
  if (key.startsWith(AUDITOR_TOKEN_PREFIX))
    return 'This is an auditor’s token: send it as "Authorization: Bearer" to the paths under /auditor';
  if (!key.startsWith(API_KEY_PREFIX)) return `${expected}; this one starts otherwise and has ${key.length}`;
  if (key.length !== KEY_LENGTH) return `${expected}; this one has ${key.length}`;
  return `${expected}: after ${API_KEY_PREFIX} come digits and the letters a to f in lower case; this one has others`;
}

const TOKEN_DIGITS = 64;

/** Same as `malformedKey`, for an auditor's token. */
export const malformedToken = (authorization: string): Refusal =>
  new Refusal('INVALID_AUDITOR_TOKEN', {
    details: [{ path: 'authorization', message: tokenFault(authorization) }],
  });

function tokenFault(authorization: string): string {
  const expected = `Send "Bearer", a space and the token: ${AUDITOR_TOKEN_PREFIX} and ${TOKEN_DIGITS} hexadecimal characters`;
  if (/^(?:bearer {1,4})?cas_/i.test(authorization))
    return 'This is an API key, which opens no path under /auditor: send the token of an auditor';
  if (!/^bearer /i.test(authorization)) return `"Bearer" is missing. ${expected}`;
  return `The token has another form. ${expected}`;
}
