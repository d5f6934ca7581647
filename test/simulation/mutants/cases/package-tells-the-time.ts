import type { Mutant } from '../mutant.ts';

export const mutant: Mutant = {
  title: 'the bytes of a package depend on when it was made',
  breaks: 'packages are whole, and hold nothing erased: package',
  changes: [
    {
      file: 'services/api/evidence/packages/package-content.ts',
      find: "textPart('verify.html', dependencies.verifyPage)",
      replace: "textPart('verify.html', String(Date.now()))",
    },
  ],
};
