import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { stretchesOf } from './marks.ts';

const found = (
  type: 'EMAIL' | 'PERSON',
  start: number,
  end: number,
  source: 'userInput' | 'systemPrompt' = 'userInput',
) => ({
  type,
  start,
  end,
  source,
  confidence: 1,
});

describe('stretches of a text', () => {
  test('are marked where something was detected, even if matches overlap', () => {
    const stretches = stretchesOf('abcdef', [found('EMAIL', 1, 4), found('PERSON', 3, 5)]);
    expect(stretches.map(({ text, types }) => [text, types.join()])).toEqual([
      ['a', ''],
      ['bc', 'EMAIL'],
      ['d', 'EMAIL,PERSON'],
      ['e', 'PERSON'],
      ['f', ''],
    ]);
  });

  test('are not marked for another text', () =>
    expect(stretchesOf('ab', [found('EMAIL', 0, 2, 'systemPrompt')])).toEqual([
      { start: 0, text: 'ab', types: [] },
    ]));

  test('do not exist in an empty text', () => expect(stretchesOf('', [found('EMAIL', 0, 2)])).toEqual([]));

  test('together form the text, whatever was detected', () => {
    const span = fc.integer({ min: -3, max: 20 });
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), fc.array(fc.tuple(span, span)), (text, spans) => {
        const stretches = stretchesOf(
          text,
          spans.map(([start, end]) => found('EMAIL', start, end)),
        );
        expect(stretches.map((one) => one.text).join('')).toBe(text);
      }),
    );
  });
});
