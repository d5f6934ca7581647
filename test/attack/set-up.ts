import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import type { TestService } from '../helpers/service.ts';
import type { Attack, HostileAccount } from './hostile/attack.ts';

const SLUG = 'hostile';
const DEFAULT_ACCOUNTS = 2;
/** The monthly maximum of DEV. */
const HISTORY = 1_000;
const STORED_WITHIN_MS = 60_000;
/** Accepted batches keep the pipeline busy for more than a minute. */
const IDLE_WITHIN_MS = 180_000;

async function hostileAccount(service: TestService): Promise<HostileAccount & { customer: TestCustomer }> {
  const customer = await makeCustomer(service, 'Hostile', 'DEV');
  await makeSandbox(customer.client, SLUG);
  return { key: customer.key, slug: SLUG, customer };
}

/** Customers that have spent their month's audits, all stored. */
export async function accountsWithHistory(service: TestService, count: number): Promise<HostileAccount[]> {
  const accounts = await Promise.all(Array.from({ length: count }, () => hostileAccount(service)));
  for (const { customer } of accounts) {
    const batch = Array.from({ length: HISTORY }, (_, number) => triplet(SLUG, number));
    const { body } = await customer.client.request('POST', '/audit/ingest/batch', batch);
    if (Number(body.accepted) !== HISTORY) throw new Error('the history of a hostile customer was refused');
  }
  for (const { customer } of accounts) {
    await eventually('the history of a hostile customer is stored', STORED_WITHIN_MS, async () => {
      const { body } = await customer.client.request('GET', '/evidence/hash-chain/verify');
      return Number((body.data as unknown as { treeSize: number }).treeSize) > HISTORY ? true : undefined;
    });
  }
  return accounts.map(({ key, slug }) => ({ key, slug }));
}

/** New customers for each attack, with full buckets. */
export async function accountsFor(
  attack: Attack,
  service: TestService,
  withHistory: readonly HostileAccount[],
): Promise<HostileAccount[]> {
  const count = attack.accounts ?? DEFAULT_ACCOUNTS;
  if (attack.withHistory) return withHistory.slice(0, count);
  const accounts = await Promise.all(Array.from({ length: count }, () => hostileAccount(service)));
  return accounts.map(({ key, slug }) => ({ key, slug }));
}

/**
 * Resolves when everything accepted so far is analysed and stored, so that leftovers of one attack do not affect the
 * next.
 */
export const whenIdle = ({ url, internalSecret }: TestService): Promise<true> =>
  eventually('the pipeline has caught up', IDLE_WITHIN_MS, async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { 'x-internal-secret': internalSecret } });
    const lags = [...(await answer.text()).matchAll(/^cas_consumer_lag_records\{[^}]*\} (\d+)$/gm)];
    return lags.length > 0 && lags.every(([, lag]) => lag === '0') ? true : undefined;
  });
