import { StateOlder } from '#records/comparison/older-state.ts';
import type { FaultPlan } from './faults.ts';
import { startAnalyzerNode } from './nodes/analyzer.ts';
import { type ApiNode, startApiNode } from './nodes/api.ts';
import { startCorrelatorNode } from './nodes/correlator.ts';
import type { NodeDependencies, RunningNode } from './nodes/node.ts';
import { startSinkNode } from './nodes/sink.ts';
import type { Role } from './plan.ts';
import { type SimulatedProcess, startProcess } from './process.ts';
import type { Random } from './random.ts';

/** A slot for a process of a role: when the process dies, a new one replaces it. */
export interface Slot {
  readonly role: Role;
  process: SimulatedProcess;
  node: RunningNode | null;
  api: ApiNode['dependencies'] | null;
}

export interface Supervisor {
  start(role: Role): Slot;
  slots(role?: Role): Slot[];
  /** Kills every process, including zombies; the returned function starts their replacements. */
  stopAll(): () => void;
  /** Stops the process of a slot gracefully and removes the slot. */
  close(slot: Slot): Promise<void>;
  /** An API process that accepts requests, or null. */
  api(): ApiNode['dependencies'] | null;
  /** Consumers that stopped by themselves with an error, and refused starts. */
  readonly red: string[];
}

export interface SupervisorOptions {
  readonly dependencies: Omit<NodeDependencies, 'process' | 'probe' | 'onStopped' | 'onOlder' | 'random'>;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly wall: () => number;
  readonly sessionTimeoutMs: number;
  readonly zombieMs: number;
  readonly note: (who: string, what: string) => void;
  /** Called when the state is older than the ledger, either at a start or while a process runs. */
  readonly onOlder: () => void;
}

/** Delay before the operator restarts a consumer that stopped by itself, ms. */
const RESTART_STOPPED_MS = 15_000;
const RESTART_MS = 3_000;

const START: Readonly<Record<Role, (dependencies: NodeDependencies) => Promise<RunningNode | ApiNode>>> = {
  api: startApiNode,
  analyzer: startAnalyzerNode,
  sink: startSinkNode,
  correlator: startCorrelatorNode,
};

/** Keeps the processes of the service running, as an orchestrator does. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { dependencies, random, faults, wall, sessionTimeoutMs, zombieMs, note, onOlder } = options;
  const slots: Slot[] = [];
  const red: string[] = [];
  const processes: SimulatedProcess[] = [];
  let mayStart: Promise<void> = Promise.resolve();
  let named = 0;

  const run = (slot: Slot): void => {
    named += 1;
    const name = `${slot.role}-${named}`;
    const process = startProcess({ name, wall, sessionTimeoutMs, zombieMs });
    process.skewMs = random.between(-50, 50);
    slot.process = process;
    processes.push(process);
    slot.node = null;
    slot.api = null;
    note(name, 'starts');
    const probe = (point: string): void => {
      // Erasures, runs and packages have few steps: by chance alone almost none would be interrupted.
      const fault = point.startsWith('api.') ? 'crash at a step' : 'crash before a call';
      if (process.life !== 'running' || !faults.happens(fault)) return;
      faults.count(fault);
      note(name, `is at ${point}`);
      process.die('dead');
    };
    const onStopped = (error: Error): void => {
      note(name, `STOPPED: ${error.message}`);
      red.push(`${name}: ${error.message}`);
      setTimeout(() => process.die('dead'), RESTART_STOPPED_MS);
    };
    process.onDeath(() => {
      note(name, process.life === 'zombie' ? 'is considered dead' : 'dies');
      setTimeout(() => {
        if (slot.process === process && slots.includes(slot)) run(slot);
      }, random.below(RESTART_MS));
    });
    const node: NodeDependencies = {
      ...dependencies,
      process,
      random: random.fork(),
      probe,
      onStopped,
      onOlder,
    };
    const launch = async (): Promise<void> => {
      await mayStart;
      const running = await START[slot.role](node);
      if (slot.process !== process) return;
      slot.node = running;
      slot.api = 'dependencies' in running ? running.dependencies : null;
    };
    launch().catch((error: Error) => {
      note(name, `does not start: ${error.message}`);
      red.push(`${name}: ${error.message}`);
      if (error instanceof StateOlder) onOlder();
      process.die('dead');
    });
  };

  return {
    red,
    start: (role) => {
      const slot = { role, node: null, api: null } as unknown as Slot;
      slots.push(slot);
      run(slot);
      return slot;
    },
    slots: (role) => slots.filter((slot) => role === undefined || slot.role === role),
    close: async (slot) => {
      const { process, node } = slot;
      const index = slots.indexOf(slot);
      if (index >= 0) slots.splice(index, 1);
      note(process.name, 'is stopped');
      // Kills a process that hangs during shutdown.
      const killed = new Promise<void>((resolve) => setTimeout(resolve, 20_000));
      await Promise.race([node?.stop() ?? Promise.resolve(), killed]);
      process.die('dead');
    },
    stopAll: () => {
      let resume: () => void = () => undefined;
      const decided = new Promise<void>((resolve) => {
        resume = resolve;
      });
      mayStart = Promise.all([mayStart, decided]).then(() => undefined);
      for (const process of processes.splice(0)) process.die('dead');
      return resume;
    },
    api: () => {
      const running = slots.filter(({ api, process }) => api !== null && process.life === 'running');
      return running.length === 0 ? null : random.pick(running).api;
    },
  };
}
