import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describeStateContract } from '../contract.ts';
import type { State } from '../port.ts';
import { NOON } from '../testing/contract-seed.ts';
import { openEmbeddedState } from './state.ts';
import { serveState, stateOver } from './threads.ts';

type Open = (file: string, now: () => number) => Promise<State>;

const openState: Open = (file, now) => openEmbeddedState({ path: file, now });

/** The state as another thread uses it; here both ends are in one thread, which makes no difference to ports. */
const openFromThread: Open = async (file, now) => {
  const state = await openEmbeddedState({ path: file, now });
  const { port1, port2 } = new MessageChannel();
  serveState(port1, state);
  const other = stateOver(port2);
  return {
    ...other,
    close: async () => {
      await other.close();
      await state.close();
    },
  };
};

const subjectOf = (openOne: Open) => async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'state-contract-'));
  let at = NOON;
  const open = () => openOne(path.join(folder, 'state.mdb'), () => at);
  let state = await open();
  return {
    get state() {
      return state;
    },
    now: () => at,
    async advance(ms: number) {
      at += ms;
    },
    async reopen() {
      await state.close();
      state = await open();
    },
    async dispose() {
      await state.close();
      await rm(folder, { recursive: true });
    },
  };
};

describeStateContract('embedded', subjectOf(openState));
describeStateContract('embedded, from another thread', subjectOf(openFromThread));
