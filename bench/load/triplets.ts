import { createClient } from '../../cli/client.ts';
import type { Shot } from './open-loop.ts';

const PAYLOAD_BYTES = 1_200;
const SLUG = 'bench';

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

/** A triplet of 1.2 KB with an e-mail address in it, from one customer after the other. */
export const tripletShot = ({ keys }: Target, number: number): Shot => {
  const prompt = `Mail ann.${number}@example.org about order ${number}. ${filler.repeat(8)}`;
  const body = { sandboxSlug: SLUG, provider: 'openai', model: 'gpt-4o', prompt, response: '' };
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(body));
  body.response = filler.repeat(10).slice(0, Math.max(0, room));
  return {
    path: '/audit/ingest',
    headers: { 'x-service-key': keys[number % keys.length] ?? '' },
    body: JSON.stringify(body),
  };
};

/**
 * Time from the 202 of a triplet to its stored signal, ms; infinite when it ends otherwise. `number`, `body` and
 * `answeredAtMs` are what the load generator reports of the answer.
 */
export async function untilVisible(
  target: Target,
  number: number,
  body: string,
  answeredAtMs: number,
): Promise<number> {
  const { auditId } = JSON.parse(body) as { auditId: string };
  const client = createClient(target.url, tripletShot(target, number).headers);
  const audit = await client.call('GET', `/audits/${auditId}?wait=30`);
  return audit.body.status === 'COMPLETED' ? performance.now() - answeredAtMs : Number.POSITIVE_INFINITY;
}
