import { seededRandom } from '../../../samples/random.ts';
import { filledIn, type LabelledText, readLayouts } from './name-layouts.ts';

const SEED = 4_711;

/**
 * Names and addresses in layouts that the tagger was not trained on, and texts without names or addresses. The tagger
 * was tuned on these.
 */
export const namesSeenSet = (times = 12): readonly LabelledText[] =>
  filledIn(readLayouts('names-seen.txt'), seededRandom(SEED), times);
