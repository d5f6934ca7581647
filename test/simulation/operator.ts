import { openKeyring } from '#platform/sealing/keyring.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { acceptContradictions } from '#records/comparison/ledger-watch.ts';
import { acceptOlderState, type FoundOlder } from '#records/comparison/older-documents.ts';
import { comparedStores } from '#records/comparison/older-state.ts';
import { logOfProcess } from './dependencies/log-of-process.ts';
import { stateOfProcess } from './dependencies/state-of-process.ts';
import { warehouseOfProcess } from './dependencies/warehouse.ts';
import type { NodeDependencies } from './nodes/node.ts';
import { type SimulatedProcess, startProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Supervisor } from './supervisor.ts';

/** An operator who is notified when the service needs a decision, and makes it. */
export interface Operator {
  /** Called when the state is older than the ledger. */
  olderStateFound(): void;
  readonly isAtWork: boolean;
  /** Documents accepted as older. */
  readonly accepted: readonly FoundOlder[];
}

interface OperatorOptions {
  readonly dependencies: Pick<
    NodeDependencies,
    'log' | 'state' | 'store' | 'network' | 'codec' | 'masterKey' | 'newId'
  >;
  readonly supervisor: () => Supervisor;
  readonly random: Random;
  readonly wall: () => number;
  readonly note: (who: string, what: string) => void;
}

const AGAIN_MS = 1_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Accepts an older state as `cas migrate --accept-older-state` does, with every service stopped. */
export function createOperator({ dependencies, supervisor, random, wall, note }: OperatorOptions): Operator {
  const accepted: FoundOlder[] = [];
  let isAtWork = false;

  const accept = async (process: SimulatedProcess): Promise<void> => {
    const { network, codec, masterKey } = dependencies;
    const state = stateOfProcess(dependencies.state, network, process);
    const warehouse = warehouseOfProcess(dependencies.store, network, process);
    const now = () => process.now();
    const log = logOfProcess({ log: dependencies.log, network, process, random });
    const compared = comparedStores({ state, warehouse, log });
    const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
    const { lifted, givenUp } = await acceptOlderState(
      {
        ...compared,
        makeEntry: entryMaker({ keyring, codec, randomBytes: random.bytes }),
        announce: () => undefined,
        now,
        newId: () => dependencies.newId(now()),
      },
      (older) => accepted.push(older),
    );
    await acceptContradictions({ state, warehouse });
    note('operator', `accepts the older state: ${lifted} documents raised, ${givenUp} accepted as lost`);
  };

  const decide = async (): Promise<void> => {
    await wait(random.between(1_000, 20_000));
    const resume = supervisor().stopAll();
    note('operator', 'has stopped all services');
    dependencies.network.disconnect('state');
    for (let isDone = false; !isDone; ) {
      const process = startProcess({ name: 'operator', wall, sessionTimeoutMs: 1, zombieMs: 1 });
      const died = new Promise<never>((_, reject) => process.onDeath(() => reject(new Error('it died'))));
      isDone = await Promise.race([accept(process), died]).then(
        () => true,
        (error: Error) => {
          note('operator', `tries again: ${error.message}`);
          return false;
        },
      );
      if (!isDone) await wait(AGAIN_MS);
    }
    resume();
    isAtWork = false;
  };

  return {
    olderStateFound: () => {
      if (isAtWork) return;
      isAtWork = true;
      note('operator', 'learns that the state is older than the ledger');
      void decide();
    },
    get isAtWork() {
      return isAtWork;
    },
    accepted,
  };
}
