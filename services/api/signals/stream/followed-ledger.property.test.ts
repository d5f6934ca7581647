import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { type LedgerPlace, placeOfEventId } from '#schemas/api/stream.ts';
import { FollowedLedger, type Follower, type LedgerSource } from './followed-ledger.ts';
import { frameOf } from './frames.ts';

/**
 * Nothing left out and nothing twice, whatever happens in between: several processes, each with a feed that loses,
 * repeats and delays what it tells; reads of the warehouse that take their time and fail; clients that leave at any
 * moment and come again, to any of the processes, with the last id that they received.
 */

const EPOCH = 1;
const MAX_MISSED = 12;
const NODES = 2;
/** What comes twice would come within the first ones; a slow client needs several of them for each of its frames. */
const MIN_ROUNDS = 200;
const MAX_ROUNDS = 10_000;

/** The stored ledger: which of its entries are signals. An index is a place in it. */
type Ledger = boolean[];

/** Draws from what fast-check made up, so that a failure can be shrunk and repeated. */
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
    // As it is at some moment of the read.
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
            const place = { epoch: EPOCH, index };
            // Only the id matters here.
            return { place, frame: frameOf({ event: 'signal', data: { index } as never }, place) };
          }),
      ),
  };
}

interface Received {
  readonly event: string;
  readonly place: LedgerPlace;
}

/** A client over all of its connections. */
class Client {
  readonly received: Received[] = [];
  connection: Connection | null = null;

  get last(): LedgerPlace | null {
    return this.received.at(-1)?.place ?? null;
  }
}

/** One connection: frames are on the way for a while, and what is on the way when it breaks is lost. */
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
      this.#client.received.push({ event: event!, place: placeOfEventId(id!)! });
    }
    this.#isDelivering = false;
  }
}

const readyFrame = (place: LedgerPlace): Buffer =>
  frameOf({ event: 'ready', data: { resumed: true } }, place);

async function connect(node: FollowedLedger, source: LedgerSource, client: Client, chance: Chance) {
  const connection = new Connection(client, chance);
  client.connection = connection;
  try {
    const beginning = await node.begin(client.last, source);
    if (!connection.isOpen) return;
    connection.send(readyFrame(beginning.place));
    if (beginning.reset !== null)
      connection.send(frameOf({ event: 'reset', data: { reason: beginning.reset } }, beginning.place));
    await node.follow(connection, beginning, source);
  } catch {
    // Answered with 503: it comes again.
    connection.end();
  }
}

/** No signal of the ledger between two events of a client, unless it was told that some were left out. */
function expectWhole(ledger: Ledger, { received }: Client): void {
  let [before] = received;
  for (const one of received.slice(1)) {
    const { index } = one.place;
    if (one.event === 'signal') {
      expect(index).toBeGreaterThan(before!.place.index);
      const between = ledger.slice(before!.place.index + 1, index).filter((isSignal) => isSignal);
      expect(between).toEqual([]);
      expect(ledger[index]).toBe(true);
    } else expect(index).toBeGreaterThanOrEqual(before!.place.index);
    // Where it begins again it has everything before that, or was told that it has not.
    if (one.event === 'ready' && index > before!.place.index)
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

test('every client gets every signal once and in order, or is told that it begins anew', async () => {
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
            resetFrame: (reason, place) => frameOf({ event: 'reset', data: { reason } }, place),
            onMoved: () => undefined,
            onFailure: () => undefined,
          }),
      );
      const clients = Array.from({ length: 3 }, () => new Client());
      const told: Promise<void>[] = [];
      const tell = async (node: FollowedLedger, first: number, last: number): Promise<void> => {
        const times = [0, 1, 1, 1, 2][chance.below(5)]!;
        for (let n = 0; n < times; n += 1) {
          // A process may be far behind the others.
          for (let pauses = chance.below(8); pauses > 0; pauses -= 1) await pauseOf(chance);
          node.tell({ first, last, epoch: EPOCH });
        }
      };
      for (const step of steps) {
        if (step.do === 'store') {
          const first = ledger.length;
          ledger.push(...step.entries);
          for (const node of nodes) told.push(tell(node, first, ledger.length - 1));
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
        } else if (step.do === 'look') nodes[step.node]!.look().catch(() => undefined);
        else await pauseOf(chance);
      }
      // Everybody comes again, and what was not told is looked for: then all have all.
      isSettling = true;
      await Promise.all(told);
      for (const client of clients) {
        if (client.connection?.isOpen !== true) void connect(nodes[0]!, source, client, chance);
      }
      const lastSignal = ledger.lastIndexOf(true);
      const haveAll = (): boolean => clients.every(({ last }) => last !== null && last.index >= lastSignal);
      for (let round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && !haveAll()); round += 1) {
        await turn();
        for (const client of clients)
          if (client.connection?.isOpen !== true) void connect(nodes[1]!, source, client, chance);
        if (round % 20 === 0) for (const node of nodes) await node.look();
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
