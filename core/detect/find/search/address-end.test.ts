import { expect, test } from '#jest';
import type { EntityType } from '#schemas/vocabulary.ts';
import type { Match } from '../match.ts';
import { withAddressesCut } from './address-end.ts';

const TEXT = 'at 1 Oak Street, 10115 Berlin, tel. 030 901820 today';

function match(entity: EntityType, value: string, confidence = 0.9): Match {
  const start = TEXT.indexOf(value);
  const end = start + value.length;
  return { code: 'PII_LEAK', entity, detector: 'x', version: 1, source: 'prompt', start, end, confidence };
}
const addressIn = (values: Match[]): string[] =>
  withAddressesCut(values, TEXT)
    .filter(({ entity }) => entity === 'ADDRESS')
    .map(({ start, end }) => TEXT.slice(start, end));

const LONG = match('ADDRESS', '1 Oak Street, 10115 Berlin, tel. 030');

test.each([
  ['a telephone number', [LONG, match('PHONE', '030 901820')], '1 Oak Street, 10115 Berlin'],
  ['an id', [match('NATIONAL_ID', '030 901820'), LONG], '1 Oak Street, 10115 Berlin'],
  [
    'a number that is only likely',
    [LONG, match('PHONE', '030 901820', 0.5)],
    '1 Oak Street, 10115 Berlin, tel. 030',
  ],
  ['a name', [LONG, match('PERSON', '030 901820')], '1 Oak Street, 10115 Berlin, tel. 030'],
  ['a number in its middle', [LONG, match('PHONE', '10115')], '1 Oak Street, 10115 Berlin, tel. 030'],
  ['nothing', [LONG], '1 Oak Street, 10115 Berlin, tel. 030'],
])('an address ends before %s', (_name, values, expected) => {
  expect(addressIn(values)).toEqual([expected]);
});
