import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { type LedgerPosition, positionOfEventId } from '#schemas/api/stream.ts';
import { FollowedLedger, type Follower, type LedgerSource } from './followed-ledger.ts';
import { frameOf } from './frames.ts';

/**
 * No signal is omitted or repeated, whatever happens: several processes, each with a feed that loses, repeats and
 * delays its reports; reads of the warehouse that take time and fail; clients that leave at any moment and reconnect,
 * to any of the processes, with the last id that they received.
 */

const EPOCH = 1;
const MAX_MISSED = 12;
const NODES = 2;
/** Repeated signals would arrive within these rounds; a slow client needs several rounds per frame. */
const MIN_ROUNDS = 200;
const MAX_ROUNDS = 10_000;

/** The stored ledger: whether each entry, by index, is a signal. */
type Ledger = boolean[];

/** Draws from fast-check's values, so that a failure can be shrunk and repeated. */
interface Chance {
  below(limit: number): number;
}

const pauseOf = async (chance: Chance): Promise<void> => {
  for (let turns = chance.below(4); turns > 0; turns -= 1) await turn();
};

function sourceOf(ledger: Ledger, chance: Chance, mayFail: () => boolean): LedgerSource {
  const read = async <Result>(result: () => Result): Promise<Result> => {
    await pauseOf(chance);
    if (mayFail() && chance.below(6) === 0) throw new Error('the warehouse does not answer');
    // The result at some moment during the read.
    const found = result();
    await pauseOf(chance);
    return found;
  };
  const signalsIn = ({ after, upTo }: { after: number; upTo: number }): number[] =>
    ledger.flatMap((isSignal, index) => (isSignal && index > after && index <= upTo ? [index] : []));
  return {
    last: () => read(() => ({ epoch: ledger.length === 0 ? 0 : EPOCH, index: ledger.length - 1 })),
    epochOf: (index) => read(() => (index < ledger.length ? EPOCH : null)),
    hasMore: (range, than) => read(() => signalsIn(range).length > than),
    signals: (range, limit) =>
      read(() =>
        signalsIn(range)
          .slice(0, limit)
          .map((index) => {
            const position = { epoch: EPOCH, index };
            // Only the id matters here.
            return { position, frame: frameOf({ event: 'signal', data: { index } as never }, position) };
          }),
      ),
  };
}

interface Received {
  readonly event: string;
  readonly position: LedgerPosition;
}

/** A client over all of its connections. */
class Client {
  readonly received: Received[] = [];
  connection: Connection | null = null;

  get last(): LedgerPosition | null {
    return this.received.at(-1)?.position ?? null;
  }
}

/** One connection: frames take a while to arrive, and those in flight are lost when it breaks. */
class Connection implements Follower {
  isOpen = true;
  readonly #client: Client;
  readonly #chance: Chance;
  readonly #onTheWay: Buffer[] = [];
  #isDelivering = false;

  constructor(client: Client, chance: Chance) {
    this.#client = client;
    this.#chance = chance;
  }

  send(frame: Buffer): void {
    if (!this.isOpen) return;
    this.#onTheWay.push(frame);
    if (!this.#isDelivering) void this.#deliver();
  }

  sendPage(frames: readonly Buffer[]): void {
    for (const frame of frames) this.send(frame);
  }

  async drained(): Promise<void> {
    while (this.isOpen && this.#onTheWay.length > 0) await turn();
  }

  end(): void {
    this.isOpen = false;
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    while (this.isOpen && this.#onTheWay.length > 0) {
      await pauseOf(this.#chance);
      if (!this.isOpen) break;
      const text = String(this.#onTheWay.shift());
      const [, event, id] = /^event: (\w+)\nid: (\S+)$/m.exec(text) ?? [];
      this.#client.received.push({ event: event!, position: positionOfEventId(id!)! });
    }
    this.#isDelivering = false;
  }
}

const readyFrame = (position: LedgerPosition): Buffer =>
  frameOf({ event: 'ready', data: { resumed: true } }, position);

async function connect(node: FollowedLedger, source: LedgerSource, client: Client, chance: Chance) {
  const connection = new Connection(client, chance);
  client.connection = connection;
  try {
    const beginning = await node.begin(client.last, source);
    if (!connection.isOpen) return;
    connection.send(readyFrame(beginning.position));
    if (beginning.reset !== null)
      connection.send(frameOf({ event: 'reset', data: { reason: beginning.reset } }, beginning.position));
    await node.follow(connection, beginning, source);
  } catch {
    // Like a 503: the client reconnects.
    connection.end();
  }
}

/** Checks that no signal is missing between two events of a client, unless a reset was reported. */
function expectWhole(ledger: Ledger, { received }: Client): void {
  let [before] = received;
  for (const one of received.slice(1)) {
    const { index } = one.position;
    if (one.event === 'signal') {
      expect(index).toBeGreaterThan(before!.position.index);
      const between = ledger.slice(before!.position.index + 1, index).filter((isSignal) => isSignal);
      expect(between).toEqual([]);
      expect(ledger[index]).toBe(true);
    } else expect(index).toBeGreaterThanOrEqual(before!.position.index);
    // Where it starts again it has everything before that, or was sent a reset.
    if (one.event === 'ready' && index > before!.position.index)
      expect(received[received.indexOf(one) + 1]).toMatchObject({ event: 'reset' });
    before = one;
  }
}

const actions = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('store' as const),
        entries: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('store' as const),
        entries: fc.array(fc.constant(true), { minLength: 20, maxLength: 40 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('connect' as const),
        client: fc.nat(2),
        node: fc.nat(NODES - 1),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), client: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), node: fc.nat(NODES - 1) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  ),
  { minLength: 5, maxLength: 80 },
);

test('every client gets every signal once and in order, or a reset', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.infiniteStream(fc.nat(1_000)), async (steps, numbers) => {
      const chance: Chance = { below: (limit) => (numbers.next().value as number) % limit };
      const ledger: Ledger = [];
      let isSettling = false;
      const source = sourceOf(ledger, chance, () => !isSettling);
      const nodes = Array.from(
        { length: NODES },
        () =>
          new FollowedLedger({
            source,
            maxMissed: MAX_MISSED,
            page: { live: 5, missed: 3 },
            resetFrame: (reason, position) => frameOf({ event: 'reset', data: { reason } }, position),
            onMoved: () => undefined,
            onFailure: () => undefined,
          }),
      );
      const clients = Array.from({ length: 3 }, () => new Client());
      const reports: Promise<void>[] = [];
      const report = async (node: FollowedLedger, first: number, last: number): Promise<void> => {
        const times = [0, 1, 1, 1, 2][chance.below(5)]!;
        for (let n = 0; n < times; n += 1) {
          // One process may lag far behind the others.
          for (let pauses = chance.below(8); pauses > 0; pauses -= 1) await pauseOf(chance);
          node.report({ first, last, epoch: EPOCH });
        }
      };
      for (const step of steps) {
        if (step.do === 'store') {
          const first = ledger.length;
          ledger.push(...step.entries);
          for (const node of nodes) reports.push(report(node, first, ledger.length - 1));
        } else if (step.do === 'connect') {
          const client = clients[step.client]!;
          const node = nodes[step.node]!;
          client.connection?.end();
          for (const each of nodes) if (client.connection !== null) each.leave(client.connection);
          void connect(node, source, client, chance);
        } else if (step.do === 'leave') {
          const { connection } = clients[step.client]!;
          connection?.end();
          for (const each of nodes) if (connection !== null) each.leave(connection);
        } else if (step.do === 'look') nodes[step.node]!.refresh().catch(() => undefined);
        else await pauseOf(chance);
      }
      // All clients reconnect and all nodes read the ledger, so finally every client has every signal.
      isSettling = true;
      await Promise.all(reports);
      for (const client of clients) {
        if (client.connection?.isOpen !== true) void connect(nodes[0]!, source, client, chance);
      }
      const lastSignal = ledger.lastIndexOf(true);
      const haveAll = (): boolean => clients.every(({ last }) => last !== null && last.index >= lastSignal);
      for (let round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && !haveAll()); round += 1) {
        await turn();
        for (const client of clients)
          if (client.connection?.isOpen !== true) void connect(nodes[1]!, source, client, chance);
        if (round % 20 === 0) for (const node of nodes) await node.refresh();
        for (const node of nodes) node.pump();
      }
      for (const client of clients) {
        expectWhole(ledger, client);
        expect(client.last!.index).toBeGreaterThanOrEqual(lastSignal);
      }
    }),
    { numRuns: 500 },
  );
}, 120_000);
