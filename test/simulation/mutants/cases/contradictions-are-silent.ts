import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a repeat with different content is dropped silently',
  breaks: 'confirmed changes are stored',
  changes: [
    {
      file: 'services/sink/fold/fold-batch.ts',
      find: 'contradictions.push(...contradictionOf(record, cores.get(key), input.epoch));',
      replace: '',
    },
  ],
};
