import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import type { AttackOrder, AttackReport } from './hostile/attack.ts';

export interface HostileProcess {
  /** Resolves when the attack has started; `end` resolves to what it observed. */
  start(order: AttackOrder): Promise<{ end(): Promise<AttackSeen> }>;
  stop(): Promise<void>;
}

export type AttackSeen = Extract<AttackReport, { readonly seen: unknown }>;

/** A separate process, so that the attacker does not slow down the measurement. */
export function startHostileProcess(): HostileProcess {
  const child = fork(compiledModule('test/attack/hostile/main.ts'));
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the attacker's process ended with ${code}; see its output above`);
  });
  exited.catch(() => undefined);
  const ask = async (message: AttackOrder | { readonly over: true }): Promise<AttackReport> => {
    const answer = once(child, 'message');
    child.send(message);
    const [report] = (await Promise.race([answer, exited])) as [AttackReport];
    return report;
  };
  return {
    start: async (order) => {
      await ask(order);
      return { end: async () => (await ask({ over: true })) as AttackSeen };
    },
    stop: async () => {
      child.disconnect();
      await exited.catch(() => undefined);
    },
  };
}
