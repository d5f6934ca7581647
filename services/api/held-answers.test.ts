import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '#jest';
import type { State } from '#platform/state/port.ts';
import { type Harness, startHarness } from './testing/harness.ts';

/** Answers that wait until an audit is final: each takes memory meanwhile. */

let harness: Harness;
afterEach(() => harness.close());

const settled = async (): Promise<void> => {
  for (let round = 0; round < 300; round++) await turn();
};

test('waiting answers are limited per customer; further ones are answered as they are, and other customers can still wait', async () => {
  harness = await startHarness({
    wrapState: (state: State): State => ({
      ...state,
      admission: {
        ...state.admission,
        pendingMark: async () => ({
          acceptedAt: Date.now(),
          sandboxId: 's',
          sandboxSlug: 'support',
          provider: 'openai',
          model: 'gpt-5',
        }),
      },
    }),
  });
  const noisy = await harness.customer();
  const other = await harness.customer();
  const url = `/audits/${harness.dependencies.newId(Date.now())}?wait=30`;
  const answers: string[] = [];
  const ask = async (headers: typeof noisy.headers) => {
    const { status, body } = await harness.call({ url, headers });
    answers.push(`${status} ${body.status}`);
  };
  const asked: ReturnType<typeof ask>[] = [];
  // Fewer at a time than may wait for a read of the warehouse.
  for (let wave = 0; wave < 6; wave++) {
    for (let n = 0; n < 50; n++) asked.push(ask(noisy.headers));
    await settled();
  }
  expect(answers).toEqual(Array(100).fill('200 QUEUED'));
  const good = ask(other.headers);
  await settled();
  expect(answers).toHaveLength(100);
  // A closing server releases waiting answers.
  const closed = harness.app.close();
  await Promise.all([...asked, good]);
  await closed;
}, 30_000);
