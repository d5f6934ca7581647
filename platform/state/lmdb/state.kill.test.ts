import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { LEASE_MS } from '../port.ts';
import { CUSTOMER, idempotencyKey, NOON, reserveRequest } from '../testing/contract-seed.ts';
import { openEmbeddedState } from './state.ts';

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-kill-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Runs a writer until it has acknowledged `count` calls, kills it and returns the acknowledged calls. */
async function killedAfter(file: string, count: number): Promise<{ kind: string; id: string }[]> {
  child = spawn(process.execPath, [compiledModule('platform/state/lmdb/testing/crash-child.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > count) child!.kill('SIGKILL');
  });
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [kind = '', id = ''] = line.split(' ');
      return { kind, id };
    });
}

test('no answered call is lost when the process is killed', async () => {
  const file = path.join(folder, 'state.mdb');
  const acknowledged: { kind: string; id: string }[] = [];
  for (const count of [40, 333, 1_000]) acknowledged.push(...(await killedAfter(file, count)));
  expect(acknowledged.length).toBeGreaterThanOrEqual(1_373);

  const state = await openEmbeddedState({ path: file, now: () => NOON + LEASE_MS });
  const { documents, admission, expiring } = state;
  const found = {
    document: async (id: string) => {
      const ref = { scope: CUSTOMER, collection: 'docs', id };
      const [entry] = await documents.pending(ref);
      return (await documents.get(ref))?.version === 1 && entry?.entryId === `E:${id}`;
    },
    reserved: async (id: string) => (await admission.pendingMark(CUSTOMER, id)) !== null,
    keyed: async (id: string) => {
      const again = reserveRequest([`${id}-other`], { idempotency: idempotencyKey(id) });
      const outcome = await admission.reserve(again);
      const [item] = outcome.kind === 'begun' && outcome.takenOver ? outcome.seed.items : [];
      return item !== undefined && 'auditId' in item && item.auditId === `${id}-keyed`;
    },
    expiring: async (id: string) => (await expiring.get(id)) === id,
  };
  const checks = acknowledged.map(async ({ kind, id }) =>
    (await found[kind as keyof typeof found](id)) ? [] : [`${kind} ${id}`],
  );
  expect((await Promise.all(checks)).flat()).toEqual([]);
  const counted = acknowledged.filter(({ kind }) => kind === 'reserved' || kind === 'keyed').length;
  expect(await admission.auditCount(CUSTOMER, NOON)).toBeGreaterThanOrEqual(counted);
  await state.close();
});

test('a state that cannot write reports it and refuses every call, without ending the process', async () => {
  const file = path.join(folder, 'state.mdb');
  const module = compiledModule('platform/state/lmdb/testing/full-disk-child.ts');
  child = spawn('bash', ['-c', 'ulimit -f 1000 && exec "$0" "$@"', process.execPath, module, file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const messages = JSON.parse(output) as { written: number };
  expect(messages).toEqual({
    written: expect.any(Number),
    failure: 'StateUnavailable',
    after: ['StateUnavailable', 'StateUnavailable', 'StateUnavailable'],
    closed: 'answered',
  });
  const state = await openEmbeddedState({ path: file, now: Date.now });
  for (let n = 0; n < messages.written; n += 1) expect(await state.expiring.get(`key-${n}`)).not.toBeNull();
  await state.close();
});
