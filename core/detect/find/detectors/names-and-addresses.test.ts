import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { namesAndAddresses } from './names-and-addresses.ts';

const matchesIn = (text: string) => namesAndAddresses.searchWhole(text, 'prompt');
const valuesOf = (text: string): readonly string[] =>
  matchesIn(text).map(({ entity, start, end }) => `${entity} ${text.slice(start, end)}`);

const FINDS: readonly (readonly [string, readonly string[]])[] = [
  ['My name is Joanna Fielding and I lost my card.', ['PERSON Joanna Fielding']],
  ['my name is john smith', ['PERSON john smith']],
  ['MY NAME IS MARTHA JOHNSON', ['PERSON MARTHA JOHNSON']],
  ['Dear Mr. Castellanos,\n\nthank you for your letter.', ['PERSON Castellanos']],
  ['Hi Priya,\n\nsee you tomorrow.\n\nBest regards,\nDaniel', ['PERSON Priya', 'PERSON Daniel']],
  ['{"name": "Ludwig van Houten", "age": 41}', ['PERSON Ludwig van Houten']],
  ["Siobhan O'Connell-Reyes called about her order.", ["PERSON Siobhan O'Connell-Reyes"]],
  ['The nurse asked José Ángel Núñez to wait.', ['PERSON José Ángel Núñez']],
  ['Patient: Nguyen Thi Mai, ward 4', ['PERSON Nguyen Thi Mai']],
  ['My name is \u0418\u0432\u0430\u043d', ['PERSON \u0418\u0432\u0430\u043d']],
  ['My name is \u7530\u4e2d\u592a\u90ce and I live here', ['PERSON \u7530\u4e2d\u592a\u90ce']],
  ['Signed by MARIA GONZALEZ on 3 May.', ['PERSON MARIA GONZALEZ']],
  ['Name: Dubois, Claire', ['PERSON Dubois, Claire']],
  ['To: Roe, Jane; Weber, Karl', ['PERSON Roe, Jane', 'PERSON Weber, Karl']],
  ['From: "Roe, Jane" <jane@example.org>', ['PERSON Roe, Jane']],
  ['I met May Chen yesterday.', ['PERSON May Chen']],
  ['MILLER, JOHN', ['PERSON MILLER, JOHN']],
  ['customer_name=jane roe', ['PERSON jane roe']],
  ['id,first_name,last_name\n1,Jane,Roe', ['PERSON Jane', 'PERSON Roe']],
  ['J. R. Smith signed', ['PERSON J. R. Smith']],
  ['Paid by Jean-Pierre van der Berg', ['PERSON Jean-Pierre van der Berg']],
  [
    'commit 4f3a\nAuthor: Jane Roe <jane@example.org>\nDate:   Tue Nov 3 10:00:00 2026 +0100\n\n    Co-authored-by: Marek Nowak <m@example.org>',
    ['PERSON Jane Roe', 'PERSON Marek Nowak'],
  ],
  ['2026-11-03 10:00:01 INFO user Jane Roe logged in', ['PERSON Jane Roe']],
  [
    'Please ship it to 742 Evergreen Terrace, Springfield, IL 62704.',
    ['ADDRESS 742 Evergreen Terrace, Springfield, IL 62704'],
  ],
  ['Ich wohne in der Goethestraße 12, 60313 Frankfurt.', ['ADDRESS Goethestraße 12, 60313 Frankfurt']],
  ['My address is 10 Baker Street, London NW1 6XE', ['ADDRESS 10 Baker Street, London NW1 6XE']],
];

const IGNORES: readonly string[] = [
  'Date: Tue, 03 Nov 2026 10:00:00 GMT\nServer: nginx\nConnection: Keep-Alive',
  'Expires: Sun, 01 Jan 2027 00:00:00 GMT\nAuthorization: Bearer',
  'See you on Tue or Thu, or on 3 May 2026.',
  'Montag, 3. November 2026; mar. 3 nov. 2026',
  '[Tue Nov 03 10:00:00.000000 2026] [core:error] [pid 35708] Request exceeded the limit',
  '2026-11-03T10:00:00Z ERROR [pool-2-thread-1] com.acme.OrderService - Failed to connect',
  'Nov  3 10:00:00 web01 systemd[1]: Started Session 4 of User root.',
  'public class OrderService extends BaseService implements Runnable',
  'Spring Boot with Apache Kafka in Visual Studio Code',
  "SELECT Name, City FROM Customers WHERE Country = 'Mexico';",
  'Click Save Changes to continue, then open Account Settings.',
  'Der Vertrag wurde gestern gekündigt, die Rechnung liegt im Anhang.',
  'Veuillez envoyer le dossier avant Vendredi.',
  'Lütfen belgeyi gönderin.',
  'Author: CI Bot <ci@example.org>',
  'Write a Python function that sorts a list of numbers.',
  'What is the capital of France, and is Paris worth a visit in May?',
  'We drove along the Jordan River and stopped at the Washington post office.',
  'The meeting is on Monday at 10, and the report is due in April.',
  'Call 555 and press 3, then enter 90210.',
  'const johnSmith = getUser(john_smith);',
  'mail john.smith@example.com or see https://example.com/john-smith',
  'Will the new policy mark a change? I hope so.',
  'Microsoft and Google announced a partnership with IBM.',
  'Explain the significance of the Magna Carta and the Rosetta Stone.',
  'Is Goldman Sachs hiring, or Morgan Stanley?',
  'asdf qwer zxcv hjkl uiop bnm fghj tyui',
  '\u043f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430? \u0432\u0441\u0451 \u0445\u043e\u0440\u043e\u0448\u043e',
  '\u041c\u0430\u043c\u0430 \u043c\u044b\u043b\u0430 \u0440\u0430\u043c\u0443.',
  '',
];

/** Pieces that cause the tagger the most work when repeated. */
const HOSTILE: readonly string[] = ['"Ann Lee", 12 Oak Street, ', 'a@', "O'x-", '://', '\n'];

describe('names-and-addresses', () => {
  test.each(FINDS.map(([text, values]) => ({ text, values })))('finds $values', ({ text, values }) => {
    expect(valuesOf(text)).toEqual(values);
  });

  test.each(IGNORES.map((text) => ({ text })))('ignores $text', ({ text }) => {
    expect(valuesOf(text)).toEqual([]);
  });

  test('matches lie inside the text and have a confidence', () => {
    for (const [text] of FINDS) {
      for (const { code, start, end, confidence } of matchesIn(text)) {
        expect(code).toBe('PII_LEAK');
        expect(start).toBeLessThan(end);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    }
  });

  test('the same text gives the same matches', () => {
    for (const [text] of FINDS) expect(matchesIn(text)).toEqual(matchesIn(text));
  });

  test('a long text is tagged in pieces, cut between paragraphs', () => {
    const letter = `${'The order was late again. '.repeat(30)}\n\nPlease write to Joanna Fielding about it.\n\n`;
    expect(matchesIn(letter.repeat(20))).toHaveLength(20);
  });

  test.each(HOSTILE.map((piece) => ({ piece })))('takes time linear in the length: $piece', ({ piece }) => {
    const inProportion = growsInProportion((length) =>
      matchesIn(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
    );
    expect(inProportion).toBe(true);
  });
});
