import { inspect } from 'node:util';
import type { Detection } from '#detection/port.ts';
import { afterEach, describe, expect, test } from '#jest';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { MasterKeyMismatch } from '#platform/sealing/port.ts';
import { StateUnavailable } from '#platform/state/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import type { Stream } from '#platform/stream/run-stream.ts';
import { memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { until } from '#platform/stream/testing/until.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { TaskFailed, TasksUnavailable, TaskTimedOut } from '#platform/threads/task-errors.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { DEAD_LETTERS, LEDGER, RETRY_1, RETRY_2 } from '#schemas/topics.ts';
import { ANALYZER_ROUTE, runAnalyzer } from './run-analyzer.ts';
import { analyzerHarness, CUSTOMER, type HarnessOptions } from './testing/analyzer-harness.ts';

const TEXT = { prompt: 'some text', response: 'some answer' };
const nothing = (): undefined => undefined;
const QUIET: Pick<Logger, 'info' | 'warn' | 'error'> = { info: nothing, warn: nothing, error: nothing };
const failed = (kind: 'retry' | 'deadLetter', code: string, stage: string, errorClass: string) => ({
  kind,
  failure: { code, stage, errorClass },
});
const only = (outcomes: readonly Outcome[]): Outcome => {
  expect(outcomes).toHaveLength(1);
  return outcomes[0] as Outcome;
};

describe('these records go to the dead letters at once', () => {
  test('bytes that are not a triplet, and an unknown schema', async () => {
    const { audit, process } = await analyzerHarness();
    const record = await audit('a1', TEXT);
    const unknown = Buffer.from(record.value);
    unknown.writeUInt32BE(77, 1);
    for (const [value, errorClass] of [
      [Buffer.from('junk'), 'Undecodable'],
      [record.value.subarray(0, 60), 'Undecodable'],
      [unknown, 'UnknownSchema'],
    ] as const) {
      const outcome = only(await process([{ ...record, value }]));
      expect(outcome).toMatchObject(failed('deadLetter', 'UNDECODABLE', 'decode', errorClass));
    }
  });

  test("a sealed text that is not a triplet's", async () => {
    const { keyring, triplet, recordOf, process } = await analyzerHarness();
    for (const text of ['{"prompt":"secret', '{"prompt":1,"response":"x"}', 'null']) {
      const sealed = await keyring.seal(CUSTOMER, 'triplet', 'a1', Buffer.from(text));
      const outcome = only(await process([recordOf(await triplet('a1', TEXT, { sealed }))]));
      expect(outcome).toMatchObject(failed('deadLetter', 'UNDECODABLE', 'open', 'MalformedText'));
    }
  });

  test('sealed content that does not open: changed, another audit’s, another customer’s', async () => {
    const { triplet, recordOf, process } = await analyzerHarness();
    const { sealed } = await triplet('a1', TEXT);
    const ciphertext = Buffer.from(sealed.ciphertext);
    ciphertext[3]! ^= 1;
    const changed = { ...sealed, ciphertext };
    const records = [
      recordOf(await triplet('a1', TEXT, { sealed: changed })),
      recordOf(await triplet('a2', TEXT, { sealed })),
    ];
    for (const outcome of await process(records)) {
      expect(outcome).toMatchObject(failed('deadLetter', 'CANNOT_OPEN', 'open', 'CannotOpen'));
    }
    const bobs = recordOf(await triplet('a1', TEXT, { sealed, customerId: 'bob' }));
    const outcome = only(await process([bobs]));
    expect(outcome).toMatchObject(failed('deadLetter', 'CANNOT_OPEN', 'open', 'KeyAbsent'));
  });

  test('a sandbox version that does not exist', async () => {
    const { audit, process } = await analyzerHarness();
    const outcome = only(await process([await audit('a1', TEXT, { sandboxVersion: 9 })]));
    expect(outcome).toMatchObject(failed('deadLetter', 'CANNOT_OPEN', 'detect', 'UnknownSandboxVersion'));
  });

  test('a destroyed key', async () => {
    const { audit, process, keyring } = await analyzerHarness();
    const record = await audit('a1', TEXT);
    await keyring.destroy(CUSTOMER);
    const outcome = only(await process([record]));
    expect(outcome).toMatchObject(failed('deadLetter', 'KEY_DESTROYED', 'open', 'KeyDestroyed'));
  });

  test('good records next to a bad one are analysed', async () => {
    const { audit, process } = await analyzerHarness();
    const good = await audit('a1', TEXT);
    const kinds = (await process([good, { ...good, value: Buffer.from('junk') }, good])).map(
      (one) => one.kind,
    );
    expect(kinds).toEqual(['ok', 'deadLetter', 'ok']);
  });
});

describe('faults of no record reject the batch', () => {
  test('an unreachable state', async () => {
    const { audit, process, state } = await analyzerHarness();
    const record = await audit('a1', TEXT);
    state.down = true;
    // The key is in the keyring's memory; the sandbox version is not.
    await expect(process([record])).rejects.toThrow(StateUnavailable);
  });

  test('a wrong master key', async () => {
    const { audit, state } = await analyzerHarness();
    const record = await audit('a1', TEXT);
    const wrong = openKeyring({ state, masterKey: Buffer.alloc(32, 6) });
    const { process } = await analyzerHarness({ keyring: wrong });
    await expect(process([record])).rejects.toThrow(MasterKeyMismatch);
  });
});

describe('a text that cannot be searched', () => {
  const rejecting = (reason: Error): Detection => ({
    detectAll: async (audits) =>
      audits.map(({ texts }) =>
        texts[0]?.text === 'long'
          ? { status: 'rejected', reason }
          : { status: 'fulfilled', value: { matches: [], suppressed: [], durationMs: 1 } },
      ),
  });
  const LONG = { prompt: 'long', response: '' };

  test.each([
    ['in time', new TaskTimedOut(5), 'TaskTimedOut'],
    ['without its thread', new TaskFailed('ERR_WORKER_OUT_OF_MEMORY'), 'TaskFailed'],
  ])('%s spends an attempt, and fails no other audit', async (_, reason, errorClass) => {
    const { audit, process } = await analyzerHarness({ detection: rejecting(reason) });
    const [before, long, after] = await process([
      await audit('a1', TEXT),
      await audit('a2', LONG),
      await audit('a3', TEXT),
    ]);
    expect(long).toMatchObject(failed('retry', 'ANALYSIS_FAILED', 'detect', errorClass));
    expect(
      [before, after].map((one) => (one?.kind === 'ok' ? one.forward?.[0]?.headers.auditId : one)),
    ).toEqual(['a1', 'a3']);
  });

  test('is an outage when threads take no tasks', async () => {
    const full = new TasksUnavailable('64 wait already');
    const { audit, process } = await analyzerHarness({ detection: rejecting(full) });
    const records = [await audit('a1', TEXT), await audit('a2', LONG)];
    await expect(process(records)).rejects.toThrow(TasksUnavailable);
  });

  test('ends the batch when the partition was lost', async () => {
    const lost = new AbortController();
    const { audit, process } = await analyzerHarness({
      detection: {
        detectAll: async (audits) => {
          lost.abort(new Error('lost'));
          return audits.map(() => ({ status: 'rejected', reason: lost.signal.reason }));
        },
      },
    });
    await expect(process([await audit('a1', TEXT)], { signal: lost.signal })).rejects.toThrow('lost');
  });
});

const streams: Stream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
});

async function run(overrides: HarnessOptions = {}, logger = QUIET) {
  const harness = await analyzerHarness(overrides);
  const log = memoryLog({ partitions: 2 });
  const stream = await runAnalyzer({
    log,
    state: harness.state,
    analyzer: harness.analyzer,
    logger,
    route: { ...ANALYZER_ROUTE, retries: ANALYZER_ROUTE.retries.map((one) => ({ ...one, delayMs: 5 })) },
    limits: { backoff: { firstMs: 1, maxMs: 4, random: () => 0.5 } },
  });
  streams.push(stream);
  const waiting = async () =>
    (await log.lag('', ['audit.triplets', RETRY_1.name, RETRY_2.name])).reduce(
      (sum, one) => sum + one.lag,
      0,
    );
  return { ...harness, log, stream, waiting };
}

/** Analyzer ports that fail at a stage, a number of times per audit, whose prompt is its id. */
function failingAt(
  stage: 'open' | 'detect' | 'emit',
  times: Readonly<Record<string, number>>,
): HarnessOptions {
  // A signal is sealed under the id of its entry.
  const left = new Map(
    Object.entries(times).map(([id, count]) => [stage === 'emit' ? entryIdOf('SIGNAL', id) : id, count]),
  );
  const mustFail = (id: string): boolean => {
    const more = left.get(id) ?? 0;
    left.set(id, more - 1);
    return more > 0;
  };
  const refuse = (id: string): void => {
    if (mustFail(id)) throw new RangeError('provoked');
  };
  if (stage === 'detect') {
    const found = { matches: [], suppressed: [], durationMs: 1 };
    const detectAll: Detection['detectAll'] = async (audits) =>
      audits.map(({ texts }) =>
        mustFail(texts[0]!.text)
          ? { status: 'rejected', reason: new RangeError('provoked') }
          : { status: 'fulfilled', value: found },
      );
    return { detection: { detectAll } };
  }
  return {
    keyringAround: (keyring) => ({
      ...keyring,
      open: async (...call) => {
        if (stage === 'open') refuse(call[2]);
        return keyring.open(...call);
      },
      seal: async (...call) => {
        if (stage === 'emit') refuse(call[2]);
        return keyring.seal(...call);
      },
    }),
  };
}

describe('retries', () => {
  test('the real route has two retries, after one and four seconds', () => {
    expect(ANALYZER_ROUTE).toEqual({
      retries: [
        { topic: 'audit.triplets.retry.1', delayMs: 1_000 },
        { topic: 'audit.triplets.retry.2', delayMs: 4_000 },
      ],
      deadLetters: 'audit.triplets.dlq',
    });
  });

  test.each(['open', 'detect', 'emit'] as const)(
    'failures at %s spend one attempt each, the third is final',
    async (stage) => {
      const { log, audit, codec } = await run(failingAt(stage, { never: 3, second: 1, third: 2 }));
      const ids = ['never', 'second', 'third', 'fine'];
      await log.append(
        await Promise.all(ids.map((id) => audit(id, { prompt: id, response: '' }, { model: id }))),
      );
      await until(() => log.stored(LEDGER.name).length === 3 && log.stored(DEAD_LETTERS.name).length === 1);
      const attempts = log.stored(LEDGER.name).map(({ value }) => {
        const entry = codec.decodeLedgerEntry(value);
        return [entry.id, (JSON.parse(entry.core) as { attempts: number }).attempts];
      });
      expect(Object.fromEntries(attempts)).toEqual({ fine: 1, second: 2, third: 3 });
      expect(
        log
          .stored(RETRY_1.name)
          .map((one) => one.key)
          .sort(),
      ).toEqual(['never', 'second', 'third']);
      expect(
        log
          .stored(RETRY_2.name)
          .map((one) => one.key)
          .sort(),
      ).toEqual(['never', 'third']);
      const original = await audit('never', TEXT);
      const dead = log.stored(DEAD_LETTERS.name)[0];
      expect(dead).toMatchObject({
        key: 'never',
        headers: {
          ...original.headers,
          model: 'never',
          attempt: '4',
          steps: expect.any(String),
          'x-failure-code': 'ANALYSIS_FAILED',
          'x-error-class': 'RangeError',
          'x-error-stage': stage,
        },
      });
      expect(log.stored('audit.triplets').find((one) => one.key === 'never')?.value).toEqual(dead?.value);
    },
  );

  test('a replay keeps its generation', async () => {
    const { log, audit } = await run();
    const record = await audit('a1', TEXT);
    await log.append([{ ...record, headers: { ...record.headers, generation: '1' } }]);
    await until(() => log.stored(LEDGER.name).length === 1);
    expect(log.stored(LEDGER.name)[0]?.headers.generation).toBe('1');
  });
});

test('an outage of the state spends no attempt and dead-letters nothing', async () => {
  const { log, audit, state, stream, waiting } = await run();
  const records = await Promise.all(['a', 'b', 'c', 'd'].map((id) => audit(id, TEXT)));
  state.down = true;
  await log.append(records);
  await until(() => !stream.health().ready);
  state.down = false;
  await until(() => log.stored(LEDGER.name).length === 4);
  while ((await waiting()) > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(log.stored(LEDGER.name).map((one) => one.headers.attempt)).toEqual(['2', '2', '2', '2']);
  expect([RETRY_1, DEAD_LETTERS].flatMap(({ name }) => log.stored(name))).toEqual([]);
  expect(stream.health()).toMatchObject({ ready: true, stopped: null });
});

test('nothing forwarded or reported after failures contains text of the audit', async () => {
  const lines: unknown[] = [];
  const note = (...line: unknown[]) => void lines.push(line.map((part) => inspect(part)));
  const canary = 'kestrel-7731-canary';
  const { log, audit } = await run(
    { sandboxVersions: () => Promise.reject(new Error(`quotes ${canary}`)) },
    { info: note, warn: note, error: note },
  );
  await log.append([await audit('a1', { prompt: canary, response: canary, customFields: { canary } })]);
  await until(() => log.stored(DEAD_LETTERS.name).length === 1);
  for (const { value, headers } of [RETRY_1, RETRY_2, DEAD_LETTERS].flatMap(({ name }) => log.stored(name))) {
    expect(value.includes(canary)).toBe(false);
    expect(JSON.stringify(headers)).not.toContain(canary);
  }
  expect(JSON.stringify(lines)).not.toContain(canary);
});

test('a wrong master key stops the stream instead of emptying the topic', async () => {
  const other = openKeyring({ state: memoryState(), masterKey: Buffer.alloc(32, 1) });
  const mismatched = { ...other, open: () => Promise.reject(new MasterKeyMismatch()) };
  const { log, audit, stream } = await run({ keyring: mismatched });
  await log.append([await audit('a1', TEXT)]);
  await until(() => stream.health().stopped instanceof MasterKeyMismatch);
  expect(log.stored(DEAD_LETTERS.name)).toEqual([]);
});
