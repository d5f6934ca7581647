import { seededRandom } from '../../../samples/random.ts';
import { filledIn, type LabelledText, readLayouts } from './name-layouts.ts';

const SEED = 90_210;

/** Names, layouts and addresses that were never used while the tagger was developed. */
export const namesSet = (times = 12): readonly LabelledText[] =>
  filledIn(readLayouts('names.txt'), seededRandom(SEED), times);
