import { warmUpTexts } from '#core/detect/warm-up.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { writeTasks } from './task-bytes.ts';

/**
 * Starts a thread of the pool and has it search once, because a start and the first search take a second or more, which the
 * first long scan would wait for. Resolves when it is done or could not be done: then the first scan starts one.
 */
export async function warmThread(tasks: Tasks): Promise<void> {
  const texts = [...warmUpTexts()].map((text) => ({ texts: [text], customRules: [] }));
  await tasks.run(writeTasks(texts)).catch(() => undefined);
}
