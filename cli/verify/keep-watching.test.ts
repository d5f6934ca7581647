import { expect, test } from '#jest';
import { RequestFailed } from '../command/client.ts';
import { keepWatching, WatchGaveUp } from './keep-watching.ts';
import { mayPass } from './watch.ts';

/** Runs a watch over these rounds, repeating the last; `null` succeeds. Time passes only in its pauses. */
function watchOver(rounds: readonly (Error | null)[]) {
  let at = 0;
  let checked = 0;
  const failures: string[] = [];
  const ended = keepWatching({
    check: async () => {
      const round = rounds[Math.min(checked, rounds.length - 1)];
      checked += 1;
      if (round) throw round;
    },
    mayPass,
    everyMs: 60_000,
    giveUpAfterMs: 600_000,
    clock: () => at,
    sleep: async (ms) => {
      at += ms;
    },
    onFailure: ({ message }) => void failures.push(message),
  });
  return ended.then(
    () => null,
    (error: unknown) => ({ error, checked, failures }),
  );
}

const outage = new RequestFailed('503 UNAVAILABLE', 503, 'UNAVAILABLE', 1);
const damage = new RequestFailed('500 DATA_DAMAGED', 500, 'DATA_DAMAGED');

test('rounds that fail for ten minutes end the watch with a separate exit code', async () => {
  const found = await watchOver([outage]);
  expect(found?.error).toBeInstanceOf(WatchGaveUp);
  const message = expect.stringMatching(
    /Gave up: 11 checks in a row failed, for 600 seconds\. .* 503 UNAVAILABLE/,
  );
  expect(found).toMatchObject({ checked: 11, error: { exitCode: 3, message } });
  expect(found?.failures).toHaveLength(10);
});

test('a successful round resets the time limit', async () => {
  const rounds = [...Array<Error>(10).fill(outage), null, outage];
  expect(await watchOver(rounds)).toMatchObject({ checked: 10 + 1 + 10, error: { exitCode: 3 } });
});

test.each([
  ['a damaged ledger', damage],
  ['a rollback', new RequestFailed('409 LEDGER_ROLLED_BACK', 409, 'LEDGER_ROLLED_BACK')],
  ['an unknown key', new RequestFailed('401 INVALID_KEY', 401, 'INVALID_KEY')],
  ['a contradiction', new Error('the checkpoint contradicts the one that was kept')],
])('%s ends the watch at once', async (_, error) => {
  expect(await watchOver([null, error])).toMatchObject({ checked: 2, error, failures: [] });
});
