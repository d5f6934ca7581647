import { expect, test } from '#jest';
import { PackageStorageUnavailable } from '../port.ts';
import { watchBucket } from './watch-bucket.ts';

const UNUSABLE = { ok: false, message: 'there is no bucket', serves: true };

test('an unusable bucket is logged once, shown while it lasts, and logged again when it recovers', async () => {
  const said: string[] = [];
  let checks = 0;
  let hasEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const seen: unknown[] = [];
  const watch = watchBucket({
    everyMs: 1,
    logger: {
      error: (fields: object) => void said.push(`error ${JSON.stringify(fields)}`),
      info: (_: object, text: string) => {
        said.push(`info ${text}`);
        hasEnded();
      },
    } as Parameters<typeof watchBucket>[0]['logger'],
    check: async () => {
      checks += 1;
      seen.push(await watch.look());
      if (checks <= 3) throw new PackageStorageUnavailable('there is no bucket');
    },
  });
  await ended;
  expect(await watch.look()).toEqual({ ok: true });
  await watch.stop();
  expect(seen.slice(0, 4)).toEqual([{ ok: true }, UNUSABLE, UNUSABLE, UNUSABLE]);
  expect(said).toEqual(['error {"reason":"there is no bucket"}', 'info package storage available again']);
});

test('an unexpected error is logged', async () => {
  const logged = new Promise<object>((resolve) => {
    const watch = watchBucket({
      logger: { error: resolve, info: () => undefined } as never,
      check: async () => {
        throw new Error('something that nobody thought of');
      },
    });
    void watch.look().then(() => logged.then(() => watch.stop()));
  });
  expect(await logged).toEqual({ reason: 'cannot use the bucket: something that nobody thought of' });
});
