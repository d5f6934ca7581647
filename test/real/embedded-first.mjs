import Sequencer from '@jest/test-sequencer';

/** `npm test` is one run of two projects: what needs no real part comes first. */
export default class EmbeddedFirst extends Sequencer {
  sort(tests) {
    const isReal = (test) => Number(test.path.endsWith('.real.test.ts'));
    return [...super.sort(tests)].sort((one, other) => isReal(one) - isReal(other));
  }
}
