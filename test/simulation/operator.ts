import {
  acceptOlderState,
  type FoundOlder,
  olderDocuments,
} from '../../platform/directory/older-documents.ts';
import { acceptContradictions } from '../../platform/runtime/ledger-watch.ts';
import { comparedParts } from '../../platform/runtime/older-state.ts';
import { openKeyring } from '../../platform/sealing/keyring.ts';
import { entryMaker } from '../../services/api/use-cases/ledger-entries.ts';
import type { NodeParts } from './nodes/node.ts';
import { stateOfProcess } from './parts/state-of-process.ts';
import { warehouseOfProcess } from './parts/warehouse.ts';
import { type SimulatedProcess, startProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Supervisor } from './supervisor.ts';

/** Somebody who is told when the service needs a decision, and decides. */
export interface Operator {
  /** The state is older than the ledger. */
  olderStateFound(): void;
  readonly isAtWork: boolean;
  /** What was accepted. */
  readonly accepted: readonly FoundOlder[];
}

interface OperatorOptions {
  readonly parts: Pick<NodeParts, 'state' | 'store' | 'network' | 'codec' | 'masterKey' | 'newId'>;
  readonly supervisor: () => Supervisor;
  readonly random: Random;
  readonly wall: () => number;
  readonly note: (who: string, what: string) => void;
}

const AGAIN_MS = 1_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Accepts an older state as `cas migrate --accept-older-state` does: with every service stopped. */
export function createOperator({ parts, supervisor, random, wall, note }: OperatorOptions): Operator {
  const accepted: FoundOlder[] = [];
  let isAtWork = false;

  const accept = async (process: SimulatedProcess): Promise<void> => {
    const { network, codec, masterKey } = parts;
    const state = stateOfProcess(parts.state, network, process);
    const warehouse = warehouseOfProcess(parts.store, network, process);
    const now = () => process.now();
    const compared = comparedParts({ state, warehouse });
    for await (const older of olderDocuments(compared)) accepted.push(older);
    const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
    const { lifted, givenUp } = await acceptOlderState({
      ...compared,
      makeEntry: entryMaker({ keyring, codec, randomBytes: random.bytes }),
      announce: () => undefined,
      now,
      newId: () => parts.newId(now()),
    });
    await acceptContradictions({ state, warehouse });
    note('operator', `accepts the older state: ${lifted} documents lifted, ${givenUp} given up`);
  };

  const decide = async (): Promise<void> => {
    await wait(random.between(1_000, 20_000));
    const goOn = supervisor().stopAll();
    note('operator', 'has stopped all services');
    parts.network.disconnect('state');
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
    goOn();
    isAtWork = false;
  };

  return {
    olderStateFound: () => {
      if (isAtWork) return;
      isAtWork = true;
      note('operator', 'is told that the state is older than the ledger');
      void decide();
    },
    get isAtWork() {
      return isAtWork;
    },
    accepted,
  };
}
