import stored from '../models/text-model.json' with { type: 'json' };
import type { StoredTextModel } from './text-model.ts';

/** Written by `npm run -w tuning train:detect`; docs/detection.md describes the training data. */
export const TEXT_MODEL = stored as StoredTextModel;
