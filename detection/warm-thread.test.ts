import { expect, test } from '#jest';
import { TasksUnavailable } from '#platform/threads/task-errors.ts';
import { searchTasks } from './search-tasks.ts';
import { readTasks } from './task-bytes.ts';
import { warmThread } from './warm-thread.ts';

test('a thread searches texts with matches, in both string representations', async () => {
  let asked: ReturnType<typeof readTasks> = [];
  const search = searchTasks(() => 0);
  await warmThread({
    run: async (bytes) => {
      asked = readTasks(bytes);
      return search(bytes);
    },
  });
  const texts = asked.flatMap((task) => task.texts);
  expect(new Set(texts.map(({ source }) => source))).toEqual(new Set(['prompt', 'response']));
  expect(texts.filter(({ text }) => text.includes('\u2026'))).toHaveLength(texts.length / 2);
});

test('a pool that cannot start a thread is left alone', async () => {
  await warmThread({ run: () => Promise.reject(new TasksUnavailable('the pool is closed')) });
});
