import { isSsn } from '../checks/national-ids.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { checkedBy, patternShape } from '../labels/shape.ts';

/** US social security numbers under a column heading, or farther from their label than `ssn` reads. */
export const labelledSsn = labelledDetector({
  name: 'labelled-ssn',
  version: 1,
  code: 'SSN',
  entity: 'SSN',
  groups: [
    {
      labels: ['ssn', 'ss number', 'social security'],
      shapes: [patternShape('\\d{3}([ -]?)\\d{2}\\1\\d{4}', checkedBy(isSsn, 0.95, 0))],
    },
  ],
});
