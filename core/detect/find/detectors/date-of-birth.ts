import { dateShape } from '../labels/date.ts';
import { labelledDetector } from '../labels/labelled.ts';

/** Dates that words mark as somebody's birth. */
export const dateOfBirth = labelledDetector({
  name: 'date-of-birth',
  version: 1,
  code: 'PII_LEAK',
  entity: 'DATE_OF_BIRTH',
  groups: [
    {
      labels: [
        ...[
          'date of birth',
          'birth date',
          'birthdate',
          'birthday',
          'dob',
          'd.o.b.',
          'd.o.b',
          'born',
          'bday',
          'b day',
          'b.day',
        ],
        ...[
          'day of birth',
          'birth',
          'geboren',
          'geburtsdatum',
          'geburtstag',
          'geb.',
          'geb',
          'naissance',
          'né le',
          'née le',
        ],
        ...[
          'nacimiento',
          'nacido',
          'nacida',
          'nació',
          'nascita',
          'nato il',
          'nata il',
          'nato a',
          'nascimento',
          'nascido',
        ],
        ...['geboortedatum', 'urodzenia', 'födelsedatum', 'født', 'birth_dt', 'birthdt'],
      ],
      unless: /\b(?:company|project|idea|movement|band|festival)\b/i,
      shapes: [dateShape],
    },
  ],
});
