import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import type { FailedAuthentication } from './failed-authentication.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Admits only the platform. All hashes are compared, in constant time, so timing reveals neither length nor content of
 * a secret. Two values may be valid at once during a rotation.
 */
export function requireInternalSecret(
  secrets: readonly string[],
  failed: FailedAuthentication,
): (request: FastifyRequest) => Promise<void> {
  const accepted = secrets.map(digest);
  return async (request) => {
    const sent = request.headers['x-internal-secret'];
    const sentDigest = digest(typeof sent === 'string' ? sent : '');
    let matches = false;
    for (const one of accepted) matches = timingSafeEqual(one, sentDigest) || matches;
    if (!matches || typeof sent !== 'string') {
      throw failed.refuse(request.ip, new Refusal('INVALID_INTERNAL_SECRET'));
    }
  };
}
