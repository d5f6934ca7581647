/** Margin from which on a find has this confidence: the share of right ones among held-out finds of that margin. */
type Steps = readonly (readonly [margin: number, confidence: number])[];

const STEPS: Readonly<Record<'PERSON' | 'ADDRESS', Steps>> = {
  PERSON: [[-1e9, 0.5]],
  ADDRESS: [[-1e9, 0.5]],
};

/** 0 when a find of this margin is more often wrong than right. */
export function confidenceOf(entity: 'PERSON' | 'ADDRESS', margin: number): number {
  let confidence = 0;
  for (const [least, share] of STEPS[entity]) if (margin >= least) confidence = share;
  return confidence;
}
