import { seededRandom } from '../../../samples/random.ts';
import { filledIn, type LabelledText, readLayouts } from './name-layouts.ts';

const SEED = 90_210;

/** Names, layouts and addresses never used while developing the tagger. */
export const namesSet = (times = 12): readonly LabelledText[] =>
  filledIn(readLayouts('names.txt'), seededRandom(SEED), times);
