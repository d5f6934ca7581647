import { afterAll, describe, test } from '#jest';

const never = (): Promise<void> => new Promise(() => undefined);

test('never ends', never);
test('has a limit of its own', never, 100);
test.each([['each']])('never ends for %s', never, 100);
test('goes on after that', () => undefined);
describe('a block', () => {
  afterAll(never, 100);
  test('has a hook that never ends', () => undefined);
});
