import { createClient } from '../../cli/client.ts';
import { postRequest, type Shot } from './raw-http.ts';

const PAYLOAD_BYTES = 1_200;
const SLUG = 'bench';
/** Digits of the number in each triplet; fixed, so that all have the same length. */
const NUMBER_DIGITS = 9;

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
    const customer = await internal.call('POST', '/internal/customers', body);
    const path = `/internal/customers/${customer.body.id}/api-keys`;
    const key = String((await internal.call('POST', path, { name: 'bench' })).body.key);
    const sandbox = { name: 'Bench', slug: SLUG, sandboxType: 'FULL_SPECTRUM', regulations: ['GDPR'] };
    await createClient(url, { 'x-service-key': key }).call('POST', '/sandboxes', sandbox);
    keys.push(key);
  }
  return { url, keys };
}

const filler = 'The quarterly report lists shipments, returns and open questions of the northern region. ';
const NO_NUMBER = '#'.repeat(NUMBER_DIGITS);

/** A triplet of 1.2 KB with an e-mail address in it; its number replaces `NO_NUMBER`. */
function tripletText(): string {
  const prompt = `Mail ann.${NO_NUMBER}@example.org about order ${NO_NUMBER}. ${filler.repeat(8)}`;
  const body = { sandboxSlug: SLUG, provider: 'openai', model: 'gpt-4o', prompt, response: '' };
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(body));
  body.response = filler.repeat(10).slice(0, Math.max(0, room));
  return JSON.stringify(body);
}

/** Offsets of the numbers in a prepared request, in ascending order of the numbers. */
function placesOf(request: Buffer): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(NO_NUMBER); at >= 0; at = request.indexOf(NO_NUMBER, at + NUMBER_DIGITS))
    places.push(at);
  return places;
}

const PLACES_PER_TRIPLET = 2;

/**
 * Requests of one customer after the other, `size` triplets in each, prepared except for their numbers: request n
 * carries the triplets from n * size on.
 */
function requestsOf(target: Target, path: string, body: Buffer, size: number): (number: number) => Shot {
  const prepared = target.keys.map((key) => {
    const request = postRequest(target.url, path, { 'x-service-key': key }, body);
    return { request, places: placesOf(request) };
  });
  return (number) => {
    const { request, places } = prepared[number % prepared.length]!;
    const shot = Buffer.from(request);
    for (let i = 0; i < places.length; i += 1) {
      const triplet = number * size + Math.floor(i / PLACES_PER_TRIPLET);
      shot.write(String(triplet).padStart(NUMBER_DIGITS, '0'), places[i]!, 'latin1');
    }
    return shot;
  };
}

/** Single ingests of 1.2 KB. */
export const tripletShots = (target: Target): ((number: number) => Shot) =>
  requestsOf(target, '/audit/ingest', Buffer.from(tripletText()), 1);

/** Batches of `size` such triplets. */
export const batchShots = (target: Target, size: number): ((number: number) => Shot) =>
  requestsOf(
    target,
    '/audit/ingest/batch',
    Buffer.from(`[${Array(size).fill(tripletText()).join(',')}]`),
    size,
  );

const GIVE_UP_MS = 300_000;

/**
 * Time from `answeredAtMs` (the 202 of an audit) to its stored signal, ms; infinite when it ends otherwise or never.
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
    const { body } = await client.call('GET', `/audits/${auditId}?wait=30`);
    const status = String(body.status);
    if (status === 'COMPLETED') return performance.now() - answeredAtMs;
    const isOnItsWay = status === 'QUEUED' || status === 'PROCESSING';
    if (!isOnItsWay || performance.now() - answeredAtMs > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
  }
}

/** Id of the audit in the answer to a single ingest. */
export const auditIdOf = (body: string): string => (JSON.parse(body) as { auditId: string }).auditId;
