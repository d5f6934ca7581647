import { createClient } from '../../cli/command/client.ts';
import { BODIES, SLUG } from './bodies.ts';
import { postRequest, type Shot } from './raw-http.ts';

/** A service under load, and the keys of its customers. */
export interface Target {
  readonly url: string;
  readonly keys: readonly string[];
}

/** Customers with one sandbox each, made over HTTP. Plan ENTERPRISE: 500 requests a second each, no quota. */
export async function makeTarget(url: string, internalSecret: string, customers: number): Promise<Target> {
  const internal = createClient(url, { 'x-internal-secret': internalSecret });
  const keys: string[] = [];
  for (let number = 0; number < customers; number += 1) {
    const body = { name: `Bench ${number}`, type: 'COMPANY', plan: 'ENTERPRISE' };
    const customer = await internal.request('POST', '/internal/customers', body);
    const path = `/internal/customers/${customer.body.id}/api-keys`;
    const key = String((await internal.request('POST', path, { name: 'bench' })).body.key);
    const sandbox = { name: 'Bench', slug: SLUG, sandboxType: 'FULL_SPECTRUM', regulations: ['GDPR'] };
    await createClient(url, { 'x-service-key': key }).request('POST', '/sandboxes', sandbox);
    keys.push(key);
  }
  return { url, keys };
}

/** Minimum number of different texts in the shots. */
const DIFFERENT_TEXTS = 4_000;

/**
 * Prepared requests with `size` triplets each, alternating between customers: request n belongs to customer n modulo
 * their number.
 */
function requestsOf(
  { url, keys }: Target,
  path: string,
  body: () => Buffer,
  size: number,
): (number: number) => Shot {
  const count = Math.ceil(DIFFERENT_TEXTS / size / keys.length) * keys.length;
  const prepared = Array.from({ length: count }, (_, number) =>
    postRequest(url, path, { 'x-service-key': keys[number % keys.length]! }, body()),
  );
  return (number) => prepared[number % count]!;
}

/** Single ingests of one kind in `BODIES`. */
export const ingestShots = (target: Target, kind = '1.2 KB'): ((number: number) => Shot) =>
  requestsOf(target, '/audit/ingest', BODIES[kind]!(), 1);

/** Batches of `size` triplets of 1.2 KB. */
export function batchShots(target: Target, size: number): (number: number) => Shot {
  const body = BODIES['1.2 KB']!();
  const batch = (): Buffer => Buffer.from(`[${Array.from({ length: size }, body).join(',')}]`);
  return requestsOf(target, '/audit/ingest/batch', batch, size);
}

const GIVE_UP_MS = 300_000;

/**
 * Time from `answeredAtMs` (the 202 of an audit) to its stored signal, ms; infinite when the audit fails or never ends.
 * `number`: of its request.
 */
export async function untilVisible(
  target: Target,
  number: number,
  auditId: string,
  answeredAtMs: number,
): Promise<number> {
  const client = createClient(target.url, {
    'x-service-key': target.keys[number % target.keys.length] ?? '',
  });
  for (;;) {
    const { body } = await client.request('GET', `/audits/${auditId}?wait=30`);
    const status = String(body.status);
    if (status === 'COMPLETED') return performance.now() - answeredAtMs;
    const isOnItsWay = status === 'QUEUED' || status === 'PROCESSING';
    if (!isOnItsWay || performance.now() - answeredAtMs > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
  }
}

/** Id of the audit in the answer to a single ingest. */
export const auditIdOf = (body: string): string => (JSON.parse(body) as { auditId: string }).auditId;
