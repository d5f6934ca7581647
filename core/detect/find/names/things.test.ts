import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { isDocumentNumber, isThing } from './things.ts';

/** Checks the span in brackets, without the brackets. */
function judged(marked: string): boolean {
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  return isThing(marked.replace('[', '').replace(']', ''), start, end);
}

describe('a name', () => {
  test.each([
    'explain the [Magna Carta] to me',
    '[iban],bic,amount',
    'the Magna [Carta] was sealed',
    'a job at [Morgan] Stanley',
    'She joined [Goldman  Sachs] in May.',
    'a job at [Ernst] & Young',
    'a coat from Marks & [Spencer]',
    'the Treaty of [Verdun]',
    'the [Fielding] Foundation',
    '[Fielding]’s disease',
    "[Dijkstra]'s algorithm",
    '[Fielding] is a 1994 Polish action film directed by Ann Lee',
    '[Ann Lee] was the brainchild of three founders',
    '[Fielding] is a village in the north',
  ])('is a thing in: %s', (text) => {
    expect(judged(text)).toBe(true);
  });

  test.each([
    'I asked [Ann Lee] about it',
    'My name is [Calvin Klein]',
    'Dear Mr. [Philip Morris],',
    '[Ann Lee] & Ben Young went home',
    '[Ann Lee] is a director of the company',
    '[Ann Lee] is a film director',
    '[Ann Lee] is a member of the band',
    '[Ann Lee] is the one who called',
    "[Ann Lee]'s order",
    'a friend of [Ann Lee]',
    '[Ann Lee] Young',
    '[Ann Lee]',
  ])('may be a person in: %s', (text) => {
    expect(judged(text)).toBe(false);
  });

  test('a labelled number is not an address', () => {
    const isNumber = (text: string): boolean => isDocumentNumber(text, 0, text.length);
    expect(['Licence H572-7420-5534', 'Licence\tM07-12-8624', 'policy no. 12'].map(isNumber)).toEqual([
      true,
      true,
      false,
    ]);
    expect(['Licence Street 12', '12 Passport Lane', 'Visa'].map(isNumber)).toEqual([false, false, false]);
  });

  test('each check takes time independent of the length of the text', () => {
    const inProportion = growsInProportion((length) => {
      const text = 'Ann is a a a a a a '.repeat(Math.ceil(length / 19)).slice(0, length);
      for (let at = 0; at < length; at += 19) isThing(text, at, at + 3);
    });
    expect(inProportion).toBe(true);
  });
});
