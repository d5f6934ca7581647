import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'a batch is committed before what it forwards is durable',
  breaks: 'every 202 ends in one final state',
  changes: [
    {
      file: 'platform/stream/partition/chunk.ts',
      find: '    await appendAll(options.log, forwards, signal, retrying);',
      replace: '    void appendAll(options.log, forwards, signal, retrying).catch(() => undefined);',
    },
  ],
};
