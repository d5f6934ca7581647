import { describe, expect, test } from '#jest';
import type { Signal } from '#schemas/api/signals.ts';
import { Feed, MAX_ROWS } from './feed.ts';

const signal = (id: number): Signal => ({ id: String(id) }) as Signal;
const idsOf = (feed: Feed): string[] => feed.view().rows.map(({ id }) => id);

describe('the live feed', () => {
  test('moves nothing until asked to, and then shows the newest first', () => {
    const feed = new Feed();
    feed.add(signal(1));
    feed.add(signal(2));
    expect([idsOf(feed), feed.view().waiting]).toEqual([[], 2]);
    feed.show();
    expect([idsOf(feed), feed.view().waiting]).toEqual([['2', '1'], 0]);
  });

  test('fills itself while empty, but not while paused', () => {
    const feed = new Feed();
    feed.setPaused(true);
    feed.add(signal(1));
    feed.fill();
    expect(idsOf(feed)).toEqual([]);
    feed.setPaused(false);
    feed.add(signal(2));
    feed.fill();
    expect([idsOf(feed), feed.view().waiting]).toEqual([['1'], 1]);
    const empty = new Feed();
    empty.add(signal(3));
    empty.fill();
    expect(idsOf(empty)).toEqual(['3']);
  });

  test('shows a signal once, however often it arrives', () => {
    const feed = new Feed();
    for (const id of [1, 1, 2]) feed.add(signal(id));
    feed.show();
    feed.add(signal(1));
    feed.show();
    expect(idsOf(feed)).toEqual(['2', '1']);
  });

  test('counts everything while paused, and keeps only the newest rows', () => {
    const feed = new Feed();
    feed.setPaused(true);
    for (let id = 1; id <= 10_000; id += 1) feed.add(signal(id));
    expect(feed.view()).toMatchObject({ waiting: 10_000, isPaused: true, rows: [] });
    feed.setPaused(false);
    expect(feed.view().waiting).toBe(0);
    expect(idsOf(feed)).toEqual(Array.from({ length: MAX_ROWS }, (_, index) => String(10_000 - index)));
  });

  test('reports a gap once there was one', () => {
    const feed = new Feed();
    expect(feed.view().hasGap).toBe(false);
    feed.noteGap();
    feed.show();
    expect(feed.view().hasGap).toBe(true);
  });
});
