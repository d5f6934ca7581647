import { expect, test } from '#jest';
import { OLD_WORDS, oldWordsIn } from './old-words.ts';

/** A sample text for each pattern. */
const REFUSED: Readonly<Record<string, string>> = {
  'goes on': 'the partition goes on',
  begin: 'the range begins after its end',
  anew: 'decide anew',
  behind: 'the first record behind the gap',
  beside: 'beside the archive',
  'of its own': 'a page of its own',
  nobody: 'Somebody moved the incident',
  'who as a subject': 'Who acts here needs a role',
  told: 'an authority has to be told',
  mend: 'mend it first',
  'put away': 'It was thrown away',
  'under way': 'an export is under way',
  'part (a backing service)': 'waiting for a part that is down: the part is not there',
  'look (noun)': 'at its next look',
  'what came': 'What came is not the file above',
  dear: 'a costly read',
  'find (noun)': 'a prompt whose finds are replaced',
  book: 'Books, of all time',
  place: 'its place in the chain',
  hole: 'a hole in the log',
  shelf: 'the shelf of packages',
  desk: 'the desk signs it',
  standing: 'the standing of the state',
  'taken under': 'taken under another epoch',
  lifted: 'the version is lifted',
  'held against': 'a later ledger is held against it',
  'renew (a list)': 'Renew',
  'take away': 'Take the filter PII away',
  'From, to': 'From, to',
  MOST_: 'MOST_RULES is 10',
  'for good': 'It stands in the record for good',
  'may be at once': 'as many packages as may be at once',
  'any ... of which': 'sandboxes any version of which ever named it',
  'say --flag': 'say --yes to do it',
  'Left out:': 'Left out: now.',
};

test('every pattern matches its sample', () => {
  expect(Object.keys(REFUSED)).toEqual(OLD_WORDS.map(({ name }) => name));
  for (const { name, pattern } of OLD_WORDS)
    expect([name, pattern.test(REFUSED[name]!)]).toEqual([name, true]);
});

test.each([
  '-----BEGIN PRIVATE KEY-----',
  'when the service runs behind a reverse proxy',
  'a JavaScript pattern without look-behind',
  'part of the ledger, one part in ten',
  'Compares the request with the legal hold',
  'replaces it in place of the old one',
  'renew the certificate before it expires',
  'recommended and amended',
  'takes 3 seconds, and finds two matches',
  'Who can read this?',
  'outstanding invoices of a bookshop',
  'an upgrade takes place',
  'runs are falling behind',
  'Dear Jane, your parcel leaves today.',
])('accepts plain English: %s', (text) => expect(oldWordsIn(text)).toEqual([]));
