import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a repeat with another content is dropped and nobody is told',
  breaks: 'what was confirmed is there: the ledger says',
  changes: [
    {
      file: 'services/sink/pipeline.ts',
      find: '    tellContradictions(contradictions, options);',
      replace: '',
    },
  ],
};
