import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { patternShape } from '../labels/shape.ts';

const digitsOf = (value: string): number => value.match(/\d/g)?.length ?? 0;

/** Numbers in table columns and form fields with phone number headings. */
export const phoneField = labelledDetector({
  name: 'phone-field',
  version: 2,
  code: 'PHONE',
  entity: 'PHONE',
  groups: [
    {
      labels: [
        ...pairs(
          ['phone', 'mobile', 'cell', 'telephone', 'contact', 'fax', 'home phone', 'work phone'],
          ['number', 'no'],
        ),
        ...[
          'phone',
          'telephone',
          'mobile',
          'cellphone',
          'mobile phone',
          'cell phone',
          'telefon',
          'telefonnummer',
        ],
        ...['tel', 'ph', 'fax', 'telefax', 'tlf'],
        ...['teléfono', 'téléphone', 'móvil', 'handynummer', 'msisdn'],
      ],
      maxWords: 0,
      // "phone_id", "phoneRecordId"
      unless: /(?:[\s_-]id|Id|ID)s?["'`]?\s?[:=]?[\s"'`]*$/,
      shapes: [
        patternShape('\\+?\\(?\\d(?:[ .\\-/()]{0,2}\\d){6,14}', (value) =>
          digitsOf(value) > 15 || /^\d+\.\d+$|^(?:19|20)\d\d-\d\d-\d\d$/.test(value) ? 0 : 0.8,
        ),
      ],
    },
  ],
});
