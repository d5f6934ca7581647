import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { groupProtocol } from '../protocol/wire.ts';
import {
  assign,
  decodeClaim,
  decodeShare,
  encodeClaim,
  encodeShare,
  isMoving,
  type MemberClaim,
} from './assignor.ts';

const TOPICS = ['a', 'b', 'c'];
const PARTITIONS = 12;
const count = (): number => PARTITIONS;
const member = (owned: MemberClaim['owned'] = [], generation = 1): MemberClaim => ({
  topics: TOPICS,
  owned,
  generation,
});
const nameOf = ({ topic, partition }: { topic: string; partition: number }): string =>
  `${topic}/${partition}`;
const namesOf = (assigned: ReadonlyMap<string, MemberClaim['owned']>): string[] =>
  [...assigned.values()].flat().map(nameOf);

/** Rebalances until nothing moves: lost partitions are released before the next one. */
function settle(claims: Map<string, MemberClaim>): Map<string, MemberClaim> {
  let members = claims;
  for (let generation = 2; generation < 5; generation += 1) {
    const assigned = assign(members, count);
    members = new Map([...assigned].map(([id, owned]) => [id, member(owned, generation)]));
  }
  return members;
}

describe('assignor', () => {
  test('claims and assignments survive encoding and decoding', () => {
    const claim = member([
      { topic: 'a', partition: 3 },
      { topic: 'b', partition: 0 },
    ]);
    expect(decodeClaim(encodeClaim(claim))).toEqual(claim);
    for (const moving of [true, false]) {
      const share = { partitions: claim.owned, moving };
      expect(decodeShare(encodeShare(share))).toEqual(share);
    }
    expect(decodeShare(Buffer.alloc(0))).toEqual({ partitions: [], moving: false });
  });

  test('an assignment from an older release, without a field for moves, is read', () => {
    const bytes = groupProtocol.MemberAssignment.encode({ version: 0, assignment: { a: [1, 2] } });
    const partitions = [1, 2].map((partition) => ({ topic: 'a', partition }));
    expect(decodeShare(bytes)).toEqual({ partitions, moving: false });
  });

  test('a partition that moves is not assigned before its owner has released it', () => {
    const all = [...assign(new Map([['one', member()]]), count).get('one')!];
    const claims = new Map([
      ['one', member(all)],
      ['two', member([], -1)],
    ]);
    const round = assign(claims, count);
    expect(round.get('two')).toEqual([]);
    expect(isMoving(claims, round, count)).toBe(true);
    expect(round.get('one')).toHaveLength((TOPICS.length * PARTITIONS) / 2);
    const released = new Map([
      ['one', member(round.get('one'))],
      ['two', member([])],
    ]);
    const next = assign(released, count);
    expect(isMoving(released, next, count)).toBe(false);
    expect(next.get('one')).toEqual(round.get('one'));
    expect(next.get('two')).toHaveLength((TOPICS.length * PARTITIONS) / 2);
  });

  test('when two members claim a partition, the one that got it last keeps it', () => {
    const claimed = [{ topic: 'a', partition: 0 }];
    const assigned = assign(
      new Map([
        ['zombie', member(claimed, 3)],
        ['owner', member(claimed, 7)],
      ]),
      count,
    );
    expect(assigned.get('zombie')!.map(nameOf)).not.toContain('a/0');
  });

  test('a claim from a lost membership does not count', () => {
    const claimed = [{ topic: 'a', partition: 0 }];
    const assigned = assign(new Map([['one', member(claimed, -1)]]), count);
    expect(namesOf(assigned)).toContain('a/0');
  });

  test('members that read other topics get the partitions of those', () => {
    const assigned = assign(
      new Map([
        ['one', { topics: ['a'], owned: [], generation: 1 }],
        ['two', { topics: ['a', 'b'], owned: [], generation: 1 }],
      ]),
      count,
    );
    expect(assigned.get('one')!.every(({ topic }) => topic === 'a')).toBe(true);
    expect(assigned.get('two')!.filter(({ topic }) => topic === 'b')).toHaveLength(PARTITIONS);
    expect(new Set(namesOf(assigned)).size).toBe(2 * PARTITIONS);
  });

  test('as members join and leave, every partition has exactly one owner, in fair shares', () => {
    const names = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7');
    const groups = fc.array(fc.uniqueArray(names, { minLength: 1 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(groups, (rounds) => {
        let members = new Map<string, MemberClaim>();
        for (const present of rounds) {
          members = settle(new Map(present.map((id) => [id, members.get(id) ?? member([], -1)])));
          const owned = [...members.values()].flatMap((each) => each.owned).map(nameOf);
          expect(new Set(owned).size).toBe(owned.length);
          expect(owned).toHaveLength(TOPICS.length * PARTITIONS);
          for (const topic of TOPICS) {
            const shares = [...members.values()].map(
              (each) => each.owned.filter((one) => one.topic === topic).length,
            );
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });
});
