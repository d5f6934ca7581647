import { describe, expect, test } from '#jest';
import { SIMILARITY } from '../testing/ledger.ts';
import { visitSharing } from './band-table.ts';
import { addPrompt, type Clusters, noClusters } from './clusters.ts';
import type { Member } from './evidence.ts';
import { MAX_CLUSTERS } from './rules.ts';

const member = (index: number): Member => ({ index, id: `audit-${index}`, at: index, rank: 0 });
/** Fingerprints of different numbers share no band. */
const numbered = (index: number): string => index.toString(16).padStart(4, '0').repeat(16);

const add = (clusters: Clusters, fingerprint: string, index: number) =>
  addPrompt(clusters, SIMILARITY, fingerprint, member(index), 3);

describe('similar prompts', () => {
  test('form a cluster, and others do not', () => {
    const clusters = noClusters();
    const [one, other] = [numbered(0xabcd), numbered(0x1234)];
    const near = `${one.slice(0, 48)}ffffffffffffffff`;
    add(clusters, one, 0);
    add(clusters, other, 1);
    expect(add(clusters, near, 2)?.evidence.count).toBe(2);
    expect([...clusters.byId.values()].map(({ evidence }) => evidence.count)).toEqual([2, 1]);
    expect(clusters.prompts).toBe(3);
  });

  test('drop the oldest single one to make room', () => {
    const clusters = noClusters();
    for (let index = 0; index < MAX_CLUSTERS; index += 1) add(clusters, numbered(index + 1), index);
    add(clusters, numbered(1), 5_000);
    expect(add(clusters, numbered(0xffff), 5_001)).not.toBeNull();
    expect(clusters.byId.size).toBe(MAX_CLUSTERS);
    // The first has two prompts by now, so the second was dropped.
    expect([clusters.byId.has(0), clusters.byId.has(1)]).toEqual([true, false]);
    const shared: number[] = [];
    visitSharing(clusters.byBand, SIMILARITY.bandsOf(SIMILARITY.digitsOf(numbered(2))), ({ id }) =>
      shared.push(id),
    );
    expect(shared).toEqual([]);
  });

  test('are rejected when no cluster has only one prompt', () => {
    const clusters = noClusters();
    for (let index = 0; index < 2 * MAX_CLUSTERS; index += 1)
      add(clusters, numbered((index % MAX_CLUSTERS) + 1), index);
    expect(add(clusters, numbered(0xffff), 5_000)).toBeNull();
    expect(clusters.byId.size).toBe(MAX_CLUSTERS);
  });
});
