import { createClient } from '../../cli/command/client.ts';
import { postRequest, type Shot } from './raw-http.ts';
import { type VariedTexts, variedTexts } from './varied-texts.ts';

const PAYLOAD_BYTES = 1_200;
/** Slug of each customer's sandbox. */
export const SLUG = 'bench';
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
    const customer = await internal.request('POST', '/internal/customers', body);
    const path = `/internal/customers/${customer.body.id}/api-keys`;
    const key = String((await internal.request('POST', path, { name: 'bench' })).body.key);
    const sandbox = { name: 'Bench', slug: SLUG, sandboxType: 'FULL_SPECTRUM', regulations: ['GDPR'] };
    await createClient(url, { 'x-service-key': key }).request('POST', '/sandboxes', sandbox);
    keys.push(key);
  }
  return { url, keys };
}

const NO_NUMBER = '#'.repeat(NUMBER_DIGITS);
/** Texts of the shots: as many different ones as this, at least. */
const DIFFERENT_TEXTS = 4_000;
const SEED = 16;

/** A triplet of 1.2 KB that names its number twice, for which `NO_NUMBER` stands; the rest differs from text to text. */
function tripletText(texts: VariedTexts): string {
  const prompt = `Mail ann.${NO_NUMBER}@example.org about order ${NO_NUMBER}. `;
  const body = { sandboxSlug: SLUG, provider: 'openai', model: 'gpt-4o', prompt, response: '' };
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(body));
  const half = Math.floor(room / 2);
  const varied = { ...body, prompt: prompt + texts.text(half), response: texts.text(room - half) };
  return JSON.stringify(varied);
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
 * carries the triplets from n * size on. `body` is called for each request that is prepared.
 */
function requestsOf(
  target: Target,
  path: string,
  body: () => Buffer,
  size: number,
): (number: number) => Shot {
  const { keys } = target;
  // A multiple of the customers, so that request n is always of customer n modulo their number.
  const count = Math.ceil(DIFFERENT_TEXTS / size / keys.length) * keys.length;
  const prepared = Array.from({ length: count }, (_, number) => {
    const headers = { 'x-service-key': keys[number % keys.length]! };
    const request = postRequest(target.url, path, headers, body());
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

/** Single ingests whose bodies `body` makes. */
export const ingestShots = (target: Target, body: () => Buffer): ((number: number) => Shot) =>
  requestsOf(target, '/audit/ingest', body, 1);

/** Single ingests of 1.2 KB. */
export function tripletShots(target: Target): (number: number) => Shot {
  const texts = variedTexts(SEED);
  return ingestShots(target, () => Buffer.from(tripletText(texts)));
}

/** Batches of `size` such triplets. */
export function batchShots(target: Target, size: number): (number: number) => Shot {
  const texts = variedTexts(SEED);
  const batch = (): string => Array.from({ length: size }, () => tripletText(texts)).join(',');
  return requestsOf(target, '/audit/ingest/batch', () => Buffer.from(`[${batch()}]`), size);
}

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
    const { body } = await client.request('GET', `/audits/${auditId}?wait=30`);
    const status = String(body.status);
    if (status === 'COMPLETED') return performance.now() - answeredAtMs;
    const isOnItsWay = status === 'QUEUED' || status === 'PROCESSING';
    if (!isOnItsWay || performance.now() - answeredAtMs > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
  }
}

/** Id of the audit in the answer to a single ingest. */
export const auditIdOf = (body: string): string => (JSON.parse(body) as { auditId: string }).auditId;
