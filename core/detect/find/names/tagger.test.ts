import fc from 'fast-check';
import { expect, test } from '#jest';
import { LABELS, OTHER } from './labels.ts';
import { bestLabels, createWays, possibleTransitions } from './tagger.ts';

const TOKENS = 4;

/** The best score over all sequences of labels, by exhaustive search. */
function bestOfAll(scores: Float64Array, transitions: Float64Array): number {
  let paths = [{ score: 0, label: OTHER }];
  for (let token = 0; token < TOKENS; token++) {
    paths = paths.flatMap(({ score, label }) =>
      Array.from({ length: LABELS }, (_, next) => ({
        score: score + transitions[label * LABELS + next]! + scores[token * LABELS + next]!,
        label: next,
      })),
    );
  }
  return Math.max(...paths.map(({ score, label }) => score + transitions[label * LABELS + OTHER]!));
}

function scoreOf(labels: Uint8Array, scores: Float64Array, transitions: Float64Array): number {
  const path = [OTHER, ...labels, OTHER];
  return path.slice(1).reduce((sum, label, at) => {
    const own = at < TOKENS ? scores[at * LABELS + label]! : 0;
    return sum + transitions[path[at]! * LABELS + label]! + own;
  }, 0);
}

test('no sequence of labels scores higher than the one found', () => {
  const weights = (length: number) =>
    fc.array(fc.integer({ min: -500, max: 500 }), { minLength: length, maxLength: length });
  const labels = new Uint8Array(TOKENS);
  const ways = createWays(TOKENS);
  fc.assert(
    fc.property(weights(TOKENS * LABELS), weights(LABELS * LABELS), (own, between) => {
      const [scores, transitions] = [Float64Array.from(own), possibleTransitions(between)];
      bestLabels(scores, TOKENS, transitions, ways, labels);
      expect(scoreOf(labels, scores, transitions)).toBe(bestOfAll(scores, transitions));
    }),
    { numRuns: 60 },
  );
});
