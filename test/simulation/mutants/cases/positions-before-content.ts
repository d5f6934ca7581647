import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the sink stores its positions before the content',
  breaks: 'every 202 ends in one final state',
  changes: [
    {
      file: 'services/sink/flush/flush.ts',
      find: '  // 1. Content and ids',
      replace: `  await insertStep('positions', dependencies, [
    ['positions', units.flatMap((unit, i) => positionOf(unit, folds.get(i), dependencies.epoch))],
  ]);
  // 1. Content and ids`,
    },
  ],
};
