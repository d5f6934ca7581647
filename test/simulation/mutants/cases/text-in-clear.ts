import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the headers of a record contain the client’s text',
  breaks: 'no text in clear',
  changes: [
    {
      file: 'services/api/ingest/seal-triplet.ts',
      find: "    source: 'INGEST',",
      replace: "    source: 'INGEST',\n    ...({ title: triplet.prompt } as object),",
    },
  ],
};
