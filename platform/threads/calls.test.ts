import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from '#jest';
import { answerCalls, type Caller, callOver } from './calls.ts';

let channel: MessageChannel;
let heard: unknown[];
let caller: Caller;
beforeEach(() => {
  channel = new MessageChannel();
  heard = [];
  caller = callOver(channel.port2, undefined, (message) => heard.push(message));
});
afterEach(() => caller.close());

test('each call gets its own answer, in any order of completion', async () => {
  const gates: (() => void)[] = [];
  answerCalls(channel.port1, {
    later: (value: number) => new Promise((resolve) => gates.push(() => resolve(value * 2))),
    now: (value: number) => value,
  });
  const slow = [1, 2, 3].map((value) => caller.call<number>('later', [value]));
  expect(await caller.call('now', [7])).toBe(7);
  for (const open of gates.toReversed()) open();
  expect(await Promise.all(slow)).toEqual([2, 4, 6]);
});

test('an error keeps its name and message, and an unknown call is an error', async () => {
  answerCalls(channel.port1, {
    refuse: () => {
      throw new RangeError('too far');
    },
    reject: async () => {
      throw Object.assign(new Error('not now'), { name: 'StateUnavailable' });
    },
  });
  await expect(caller.call('refuse')).rejects.toThrow(RangeError);
  await expect(caller.call('reject')).rejects.toMatchObject({ name: 'StateUnavailable', message: 'not now' });
  await expect(caller.call('nothing')).rejects.toThrow('no thread handles the call "nothing"');
});

test('transferred bytes are not copied, and the caller loses them', async () => {
  answerCalls(channel.port1, { sum: (bytes: Uint8Array) => bytes.reduce((all, byte) => all + byte, 0) });
  const bytes = new Uint8Array([1, 2, 3]);
  expect(await caller.call('sum', [bytes], [bytes.buffer])).toBe(6);
  expect(bytes.byteLength).toBe(0);
});

test('a message sent before an answer arrives before it', async () => {
  answerCalls(channel.port1, {
    tell: () => {
      channel.port1.postMessage({ news: 1 });
      return heard.length;
    },
  });
  await caller.call('tell');
  expect(heard).toEqual([{ news: 1 }]);
});

test('when the other side is gone, calls in progress and later ones are rejected', async () => {
  answerCalls(channel.port1, { wait: () => new Promise(() => undefined) });
  const waiting = expect(caller.call('wait')).rejects.toMatchObject({ name: 'ThreadGone' });
  channel.port1.close();
  await waiting;
  await expect(caller.call('wait')).rejects.toMatchObject({ name: 'ThreadGone' });
});
