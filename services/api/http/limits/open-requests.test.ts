import type { FastifyRequest } from 'fastify';
import { expect, test } from '#jest';
import { openRequests } from './open-requests.ts';

const TOGETHER_BURST = 500;
const PER_ADDRESS = 100;

test('requests of many addresses together are delayed beyond the limit, never refused, and pass again later', async () => {
  let [now, held] = [0, 0];
  const open = openRequests(
    () => now,
    async () => {
      held += 1;
    },
  );
  let asked = 0;
  const ask = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      const ip = `192.0.2.${Math.floor(asked++ / PER_ADDRESS)}`;
      await open.limit({ ip, routeOptions: { url: '/metrics' } } as FastifyRequest);
    }
  };
  await ask(TOGETHER_BURST);
  expect(held).toBe(0);
  await ask(TOGETHER_BURST);
  expect(held).toBe(TOGETHER_BURST);
  now += 1_000;
  await ask(TOGETHER_BURST);
  expect(held).toBe(TOGETHER_BURST);
});
