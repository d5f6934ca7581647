import { PooledThread, type ThreadOptions } from './pooled-thread.ts';
import { TasksUnavailable } from './task-errors.ts';

/** Where tasks run. */
export interface Tasks {
  /**
   * Resolves to the result. The task's bytes are moved, so the caller loses them. Rejects with `TaskTimedOut`,
   * `TaskFailed`, or `TasksUnavailable`, which is an outage.
   */
  run(task: Uint8Array): Promise<Uint8Array>;
}

export interface TaskPool extends Tasks {
  /** Rejects waiting and running tasks, and ends the threads. */
  close(): Promise<void>;
}

export interface PoolOptions extends ThreadOptions {
  /** Maximum number of threads; each starts when it is first needed. */
  readonly threads: number;
  /** A task that takes longer is abandoned together with its thread, ms. */
  readonly timeoutMs: number;
  /** Maximum number of tasks waiting for a thread, and of their bytes. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

interface Waiting {
  readonly task: Uint8Array;
  readonly resolve: (result: Promise<Uint8Array>) => void;
  readonly reject: (error: Error) => void;
}

/** Runs tasks in threads, first come, first served. A lost thread is replaced when a task needs one. */
export function createTaskPool(options: PoolOptions): TaskPool {
  const { threads, timeoutMs, maxWaiting, maxWaitingBytes } = options;
  if (!(threads >= 1)) throw new RangeError('a pool needs at least one thread');
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  const idle: PooledThread[] = [];
  const all = new Set<PooledThread>();
  let isClosed = false;

  const takeThread = (): PooledThread | null => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.isGone) return thread;
      all.delete(thread);
    }
    if (all.size >= threads) return null;
    const thread = new PooledThread(options);
    all.add(thread);
    return thread;
  };
  const runOn = async (thread: PooledThread, task: Uint8Array): Promise<Uint8Array> => {
    try {
      return await thread.run(task, timeoutMs);
    } finally {
      if (thread.isGone) all.delete(thread);
      else idle.push(thread);
      if (!isClosed) startNext();
    }
  };
  const startNext = (): void => {
    while (waiting.length > 0) {
      const thread = takeThread();
      const next = thread === null ? undefined : waiting.shift();
      if (thread === null || next === undefined) return;
      waitingBytes -= next.task.byteLength;
      next.resolve(runOn(thread, next.task));
    }
  };

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new TasksUnavailable('the pool is closed');
        const mayWait = waiting.length < maxWaiting && waitingBytes + task.byteLength <= maxWaitingBytes;
        if (!mayWait && all.size >= threads && idle.length === 0) {
          throw new TasksUnavailable(`the queue is full: ${waiting.length} tasks, ${waitingBytes} bytes`);
        }
        waiting.push({ task, resolve, reject });
        waitingBytes += task.byteLength;
        startNext();
      }),
    close: async () => {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new TasksUnavailable('the pool is closed'));
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
