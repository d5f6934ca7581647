import fc from 'fast-check';
import { expect, test } from '#jest';
import { addMember, copyOf, evidenceOf, extremesOf, joined, noEvidence, removeMembers } from './evidence.ts';
import { MAX_MEMBERS } from './rules.ts';

/** The simple model of extremes: those of all signals, recomputed after an erasure if all remaining ones are known. */
function model() {
  let [count, firstAt, lastAt, rank] = [0, Number.MAX_SAFE_INTEGER, 0, 0];
  return {
    add: (at: number, own: number) => {
      count += 1;
      [firstAt, lastAt, rank] = [Math.min(firstAt, at), Math.max(lastAt, at), Math.max(rank, own)];
    },
    erased: (gone: number, wereAllKnown: boolean, left: readonly { at: number; rank: number }[]) => {
      count -= gone;
      if (gone === 0 || !wereAllKnown || count === 0) return;
      const ats = left.map(({ at }) => at);
      [firstAt, lastAt] = [Math.min(...ats), Math.max(...ats)];
      rank = Math.max(...left.map((one) => one.rank));
    },
    get now() {
      return { count, firstAt, lastAt, rank };
    },
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), many: fc.constantFrom(1, 3, 700), seed: fc.nat(10_000) }),
  fc.record({ kind: fc.constant('erase' as const), every: fc.constantFrom(1, 2, 7), from: fc.nat(1_500) }),
  fc.record({ kind: fc.constant('save' as const) }),
  fc.record({ kind: fc.constant('copy' as const) }),
);

test('extremes cover all signals, including unknown ones, across erasures, copies and restarts', () => {
  let beyond = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let evidence = noEvidence();
      const plain = model();
      let next = 0;
      for (const one of steps) {
        if (one.kind === 'add')
          for (let n = 0; n < one.many; n += 1) {
            const [at, rank] = [1 + ((one.seed + n * 7_919) % 10_007), (one.seed + n) % 4];
            addMember(evidence, { index: next, id: String(next), at, rank });
            plain.add(at, rank);
            next += 1;
          }
        else if (one.kind === 'erase') {
          const wereAllKnown = evidence.count === evidence.members.length;
          const gone = removeMembers(evidence, (index) => index >= one.from && index % one.every === 0);
          plain.erased(gone.length, wereAllKnown, evidence.members);
        } else if (one.kind === 'copy') {
          const before = evidence;
          evidence = copyOf(before);
          addMember(before, { index: 1e6, id: 'of the other', at: 1e9, rank: 3 });
        } else evidence = evidenceOf(evidence.count, evidence.members, { ...extremesOf(evidence) });
        const { count, members } = evidence;
        expect({ count, ...extremesOf(evidence) }).toEqual(plain.now);
        expect(members.length).toBeLessThanOrEqual(MAX_MEMBERS);
        if (count > members.length) beyond += 1;
      }
      expect({ ...extremesOf(joined([evidence, noEvidence()])) }).toEqual({ ...extremesOf(evidence) });
    }),
    { seed: 58, numRuns: 600 },
  );
  expect(beyond).toBeGreaterThan(50);
  expect(noEvidence().members).toHaveLength(0);
});
