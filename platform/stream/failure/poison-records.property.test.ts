import fc from 'fast-check';
import { expect, test } from '#jest';
import { memoryState } from '../testing/memory-state.ts';
import { PoisonRecordDetection } from './poison-records.ts';

/**
 * In any order of deaths, external kills, clean stops and former owners that wake up late, every poison record is
 * eventually given up, no other record is, and nothing is skipped.
 */

/** How one owner's assignment ends, unless a poison record ends it earlier. */
interface Life {
  readonly end: 'kill' | 'killAtWork' | 'leave' | 'pause' | 'done';
  /** Chunks of work done before the end. */
  readonly pieces: number;
  /** Maximum number of processed but uncommitted records while the owner need not be careful. */
  readonly maxUncommitted: number;
  readonly batch: number;
  /** Records that arrive before this owner starts. */
  readonly arriving: number;
}

const life: fc.Arbitrary<Life> = fc.record({
  end: fc.constantFrom('kill', 'killAtWork', 'leave', 'pause', 'done'),
  pieces: fc.nat(6),
  maxUncommitted: fc.nat(5),
  batch: fc.integer({ min: 1, max: 4 }),
  arriving: fc.nat(4),
});

class Died extends Error {}

function partition(deadly: ReadonlySet<number>, length: number) {
  const { expiring } = memoryState();
  let end = 4;
  let committed = 0;
  const crashed: number[] = [];
  const done = new Set<number>();
  /** Clean exits of paused owners, recorded late: while a later owner is working. */
  const delayedExits: (() => Promise<void>)[] = [];
  let deaths = 0;
  /** Single records in progress when the process was killed from outside. */
  const killedAlone = new Set<number>();

  /** Returns when the owner ends: a process that died never reports that its work is over. */
  const owner = async (one: Life): Promise<void> => {
    const watch = new PoisonRecordDetection({ expiring, group: 'g', topic: 't', partition: 0, now: () => 0 });
    let position = committed;
    for (let piece = 0; position < end; piece++) {
      const ends = piece >= one.pieces;
      if (ends && one.end === 'kill') return;
      if (ends && one.end === 'leave') return watch.leave();
      if (ends && one.end === 'pause') {
        delayedExits.push(() => watch.leave());
        return;
      }
      const how = await watch.modeAt(position, end);
      const next = how === 'batch' ? Math.min(end, position + one.batch) : position + 1;
      const offsets = Array.from({ length: next - position }, (_, i) => position + i);
      if (how === 'crashed') crashed.push(position);
      else {
        const kills = ends && one.end === 'killAtWork' && !(how === 'single' && killedAlone.has(position));
        const dies = kills || offsets.some((offset) => deadly.has(offset));
        if (kills && how === 'single') killedAlone.add(position);
        await atWork(watch, position, next, dies);
      }
      for (const offset of offsets) done.add(offset);
      position = next;
      committed = watch.isCareful() ? position : Math.max(committed, position - one.maxUncommitted);
    }
    committed = position;
    await watch.leave();
  };
  const atWork = (watch: PoisonRecordDetection, from: number, to: number, dies: boolean) =>
    new Promise<void>((resolve, reject) => {
      const work = async (): Promise<void> => {
        if (!dies) return;
        reject(new Died());
        await new Promise(() => undefined);
      };
      watch.during(from, to, work).then(resolve, reject);
    });

  const live = async (one: Life): Promise<void> => {
    const wakesUp = delayedExits.shift();
    end = Math.min(length, end + one.arriving);
    try {
      await Promise.all([owner(one), wakesUp?.()]);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      deaths += 1;
    }
  };
  return {
    live,
    crashed,
    done,
    deaths: () => deaths,
    fill: () => {
      end = length;
    },
    isDone: () => end === length && committed === length,
  };
}

test('deadly records are given up and no others, in any order of owners', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(23), { maxLength: 3 }),
      fc.array(life, { maxLength: 14 }),
      async (deadly, lives) => {
        const one = partition(new Set(deadly), 24);
        for (const next of lives) await one.live(next);
        one.fill();
        const before = one.deaths();
        const last: Life = { end: 'done', pieces: 100, maxUncommitted: 0, batch: 4, arriving: 0 };
        for (let tries = 0; !one.isDone(); tries++) {
          expect(tries).toBeLessThan(20);
          await one.live(last);
        }
        // A record is given up in place, so it is given up again when its commit was lost in a death.
        expect([...new Set(one.crashed)].sort((a, b) => a - b)).toEqual(deadly.sort((a, b) => a - b));
        expect(one.done.size).toBe(24);
        expect(one.deaths() - before).toBeLessThanOrEqual(4 * deadly.length);
      },
    ),
    { numRuns: 300 },
  );
});
