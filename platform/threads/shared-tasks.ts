import type { MessagePort } from 'node:worker_threads';
import { answerCalls, callOver } from './calls.ts';
import { receiveTaskError } from './task-errors.ts';
import type { Tasks } from './task-pool.ts';
import { movesWith } from './task-thread.ts';

/** Lets another thread of the process use this one's pool (`tasksOver`) until the port closes. */
export function serveTasks(port: MessagePort, tasks: Tasks): void {
  answerCalls(port, { run: (task: Uint8Array) => tasks.run(task) });
}

interface SharedTasks extends Tasks {
  close(): void;
}

/** The pool of another thread. Bytes are moved there and back; the thread in between does not read them. */
export function tasksOver(port: MessagePort): SharedTasks {
  const thread = callOver(port, receiveTaskError);
  return {
    run: (task) => thread.call<Uint8Array>('run', [task], movesWith(task)),
    close: thread.close,
  };
}
