import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a repeat with another content is dropped and nobody is told',
  breaks: 'what was confirmed is there',
  changes: [
    {
      file: 'services/sink/fold/fold-batch.ts',
      find: 'contradictions.push(...contradictionOf(record, cores.get(key), input.epoch));',
      replace: '',
    },
  ],
};
