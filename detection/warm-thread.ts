import { warmUpTexts } from '#core/detect/warm-up.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { writeTasks } from './task-bytes.ts';

/**
 * Starts a thread of the pool and runs one search, because the start and the first search take a second or more, which
 * the first long scan would otherwise wait for. Also resolves on failure: then the first scan starts a thread.
 */
export async function warmThread(tasks: Tasks): Promise<void> {
  const texts = [...warmUpTexts()].map((text) => ({ texts: [text], customRules: [] }));
  await tasks.run(writeTasks(texts)).catch(() => undefined);
}
