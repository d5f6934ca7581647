import { seededRandom } from '../../../samples/random.ts';
import { filledIn, type LabelledText, readLayouts } from './name-layouts.ts';

const SEED = 90_211;

/** Persons in logs, headers, data and forms, and the same formats without persons; not used for training. */
export const namesInFormats = (times = 8): readonly LabelledText[] =>
  filledIn(readLayouts('names-in-formats.txt'), seededRandom(SEED), times);
