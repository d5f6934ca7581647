import { describe, expect, test } from '#jest';
import { displayName, provider, providerFilter, SAY_SEEN, SEEN, sentTokenCount } from './fields.ts';

describe('a provider is stored in one spelling', () => {
  test.each([
    ['openai', 'openai'],
    ['OpenAI', 'openai'],
    ['azure/openai', 'azure-openai'],
    ['Azure / OpenAI', 'azure-openai'],
    ['Google AI Studio', 'google-ai-studio'],
    [' Mistral\tAI ', 'mistral-ai'],
    ['vertex_ai', 'vertex_ai'],
    ['together.ai', 'together.ai'],
  ])('%s: %s', (sent, stored) => {
    expect(provider.parse(sent)).toBe(stored);
    expect(providerFilter.parse(sent)).toBe(stored);
  });

  test.each(['', ' ', '/', '-x', 'a:b', 'über', 'x'.repeat(65), `a${' '.repeat(200)}b`])(
    '%j is refused',
    (sent) => {
      expect(provider.safeParse(sent).success).toBe(false);
    },
  );
});

describe('a name', () => {
  test('has no invisible character', () => {
    const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      if (SEEN.test(`ann${character}`) === unseen.test(character)) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test.each(['Ann Lee', 'Zoë', '李明', 'محمد', 'नीना', 'Team 🚀', 'O’Brien & Söhne (EU)'])(
    'may be %s',
    (name) => {
      expect(displayName.parse(name)).toBe(name);
    },
  );

  test.each(['ann\u200b', 'an\u00adn', '\u202enna', 'ann\0', 'ann\n', ''])('cannot be %j', (name) => {
    expect(displayName.safeParse(name).error?.issues[0]?.message).toMatch(name === '' ? /./ : SAY_SEEN);
  });
});

describe('a number of tokens', () => {
  test.each([
    [12, 12],
    ['12', 12],
    ['0', 0],
    [12.5, 13],
    ['12.4', 12],
    [0.2, 0],
    [2 ** 53 - 2, 2 ** 53 - 2],
  ])('%j is %d', (sent, count) => {
    expect(sentTokenCount.parse(sent)).toBe(count);
  });

  test.each([
    -1,
    -0.2,
    '-1',
    'abc',
    '',
    ' ',
    '1e3',
    '0x10',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    '99999999999999999',
    true,
    [1],
    {},
  ])('%j is refused with what to send', (sent) => {
    const { error } = sentTokenCount.safeParse(sent);
    expect(error?.issues[0]?.message).toContain('Expected a token count of 0 or more');
  });
});
