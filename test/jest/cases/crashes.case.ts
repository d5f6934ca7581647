import { test } from '#jest';

test('ends its process', () => {
  process.kill(process.pid, 'SIGKILL');
});
