import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the bytes of a package depend on its creation time',
  breaks: 'packages are complete without erased content: package',
  changes: [
    {
      file: 'services/api/evidence/packages/package-content.ts',
      find: "textPart('verify.html', dependencies.verifyPage)",
      replace: "textPart('verify.html', String(Date.now()))",
    },
  ],
};
