import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeStateContract } from './contract.ts';
import { NOON } from './contract-seed.ts';
import { openEmbeddedState } from './embedded.ts';

describeStateContract('embedded', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'state-contract-'));
  let at = NOON;
  const open = () => openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: () => at });
  let state = await open();
  return {
    get state() {
      return state;
    },
    now: () => at,
    async advance(ms) {
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
});
