import { expect, test } from '#jest';
import type { PendingMark } from './pending-mark.ts';
import { CUSTOMER } from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

export function describeRemainsContract(subject: Subject): void {
  const admission = () => subject().state.admission;
  const expiring = () => subject().state.expiring;
  const prefixOf = (customerId: string): string => `claims:${customerId}:`;
  const remove = (customerId: string, gone = new AbortController().signal) =>
    subject().state.removeRemains({ customerId, expiringPrefix: prefixOf(customerId) }, gone);
  const ids = Array.from({ length: 2_500 }, (_, n) => `a${n}`);
  const others = ['cus-2', `${CUSTOMER}2`, `x${CUSTOMER}`, 'cus-*', 'cus-[', 'cus:x'];
  const mark = (): PendingMark => ({
    acceptedAt: subject().now(),
    sandboxId: 's1',
    sandboxSlug: 'support-bot',
    provider: 'openai',
    model: 'gpt-5',
  });

  test('all marks of the customer are removed, and none of others, for any names', async () => {
    await Promise.all(ids.map((auditId) => admission().setPendingMark(CUSTOMER, auditId, mark())));
    for (const other of others) await admission().setPendingMark(other, 'a1', mark());
    await remove('cus-*');
    await Promise.all([remove(CUSTOMER), remove(CUSTOMER)]);
    await subject().reopen();
    const found = await Promise.all(ids.map((auditId) => admission().pendingMark(CUSTOMER, auditId)));
    expect(found.filter((one) => one !== null)).toEqual([]);
    expect(await admission().pendingMark('cus-*', 'a1')).toBeNull();
    for (const other of others.filter((one) => one !== 'cus-*'))
      expect([other, await admission().pendingMark(other, 'a1')]).toEqual([other, mark()]);
  });

  test('all expiring values under the prefix are removed, including claimed ones, and no others', async () => {
    const claim = (key: string) => expiring().claim(key, 'claimed', 60_000);
    const kept = [
      ...others.map((other) => `${prefixOf(other)}a1`),
      `claims:${CUSTOMER}`,
      `lease:${CUSTOMER}:a1`,
      `x:${prefixOf(CUSTOMER)}a1`,
    ];
    await Promise.all([
      ...ids.map((id) => claim(`${prefixOf(CUSTOMER)}${id}`)),
      ...ids.map((id) => expiring().setIfAbsent(`${prefixOf(CUSTOMER)}${id}:noted`, '1', 60_000)),
    ]);
    for (const key of kept) await expiring().set(key, 'kept', 60_000);
    await remove(CUSTOMER);
    await subject().reopen();
    const left = await Promise.all(
      ids.flatMap((id) => [
        expiring().claimed(`${prefixOf(CUSTOMER)}${id}`),
        expiring().get(`${prefixOf(CUSTOMER)}${id}:noted`),
      ]),
    );
    expect(left.filter((one) => one !== null)).toEqual([]);
    for (const key of kept) expect([key, await expiring().get(key)]).toEqual([key, 'kept']);
    expect(await claim(`${prefixOf(CUSTOMER)}a1`)).toBe(true);
  });

  test('an aborted removal rejects, and the next one removes the rest', async () => {
    await admission().setPendingMark(CUSTOMER, 'a1', mark());
    await expect(remove(CUSTOMER, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toEqual(mark());
    await remove(CUSTOMER);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toBeNull();
  });

  test('a prefix that does not name the customer is an error, and nothing is removed', async () => {
    await admission().setPendingMark(CUSTOMER, 'a1', mark());
    const gone = new AbortController().signal;
    for (const remains of [
      { customerId: CUSTOMER, expiringPrefix: '' },
      { customerId: CUSTOMER, expiringPrefix: 'claims:' },
      { customerId: '', expiringPrefix: 'claims:' },
    ])
      await expect(subject().state.removeRemains(remains, gone)).rejects.toThrow('must contain the customer');
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toEqual(mark());
  });
}
