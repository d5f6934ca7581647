import { describe, expect, test } from '@jest/globals';
import { provider, providerFilter, sentTokenCount } from './fields.ts';

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
    expect(error?.issues[0]?.message).toContain('Expected a number of tokens, 0 or more');
  });
});
