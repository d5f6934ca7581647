import { answerTasks } from '../task-thread.ts';

/** Main module of a test thread; a task's first byte selects what it does. */
const DO: Readonly<Record<string, (task: Uint8Array) => Uint8Array>> = {
  /** Doubles the other bytes. */
  d: (task) => task.slice(1).map((byte) => byte * 2),
  /** Never ends. */
  l: () => {
    for (;;);
  },
  /** Throws an error that quotes its bytes. */
  t: (task) => {
    throw new RangeError(Buffer.from(task).toString());
  },
  /** Ends its thread. */
  x: () => process.exit(3),
  /** Takes all memory. */
  m: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(1.5));
  },
};

answerTasks((task) => {
  const work = DO[String.fromCharCode(task[0] ?? 0)];
  if (work === undefined) throw new Error('no such task');
  return work(task);
});
