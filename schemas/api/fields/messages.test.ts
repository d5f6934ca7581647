import { describe, expect, test } from '#jest';
import { promptText, responseText, textOf } from './messages.ts';

describe('messages are rendered as one text', () => {
  test('by role, with tool calls and their results', () => {
    const messages = [
      { role: 'system', content: 'You help customers.' },
      { role: 'user', name: 'jane', content: 'Where is my order?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{"id":7}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sent on Monday' },
    ];
    expect(textOf(messages)).toBe(
      '[system]\nYou help customers.\n\n[user jane]\nWhere is my order?\n\n' +
        '[assistant]\n[tool call: find_order] {"id":7}\n\n[tool]\nsent on Monday',
    );
  });

  test.each([
    ['a text part', { type: 'text', text: 'Hello' }, 'Hello'],
    ['a part of another spelling', { type: 'input_text', text: 'Hello' }, 'Hello'],
    ['thinking', { type: 'thinking', thinking: 'Let me see', signature: 'abc' }, 'Let me see'],
    ['a refusal', { type: 'refusal', refusal: 'I cannot' }, 'I cannot'],
    [
      'a call',
      { type: 'tool_use', id: 't', name: 'mail', input: { to: 'a@b.co' } },
      '[tool call: mail] {"to":"a@b.co"}',
    ],
    [
      'a call of another spelling',
      { functionCall: { name: 'mail', args: { to: 'a' } } },
      '[tool call: mail] {"to":"a"}',
    ],
    ['a call without input', { type: 'function_call', name: 'now', arguments: '' }, '[tool call: now] '],
    [
      'a result',
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'done' }] },
      '[tool result]\ndone',
    ],
    [
      'a result of another spelling',
      { functionResponse: { name: 'mail', response: { ok: true } } },
      '[tool result: mail]\n{"ok":true}',
    ],
    [
      'a picture by its reference',
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: '[image/png; bytes=9; sha256:00]' },
      },
      '[image/png; bytes=9; sha256:00]',
    ],
    [
      'a picture by its address',
      { type: 'image_url', image_url: { url: 'https://a.example/x.png', detail: 'low' } },
      '[image_url: https://a.example/x.png]',
    ],
    [
      'a file with its name',
      { type: 'file', file: { filename: 'jane.pdf', file_data: '[application/pdf; bytes=9; sha256:00]' } },
      '[file: jane.pdf [application/pdf; bytes=9; sha256:00]]',
    ],
    [
      'inline data',
      { inline_data: { mime_type: 'audio/mp3', data: '[audio/mpeg; bytes=9; sha256:00]' } },
      '[audio/mpeg; bytes=9; sha256:00]',
    ],
    [
      'a part that is not known',
      { type: 'server_thing', secret: 'abc', n: 1 },
      '{"type":"server_thing","secret":"abc","n":1}',
    ],
  ])('%s', (_, part, text) => {
    expect(textOf([{ role: 'user', content: [part] }])).toBe(`[user]\n${text}`);
  });

  test('in formats of other interfaces, too: parts, items without a role, texts', () => {
    expect(textOf([{ role: 'user', parts: [{ text: 'Hi' }] }])).toBe('[user]\nHi');
    expect(
      textOf([
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', name: 'x', input: {} },
      ]),
    ).toBe('Hi\n\n[tool call: x] {}');
    expect(textOf(['one', 'two'])).toBe('one\n\ntwo');
    expect(textOf({ role: 'assistant', content: null, function_call: { name: 'x', arguments: '{}' } })).toBe(
      '[assistant]\n[tool call: x] {}',
    );
    expect(textOf({ role: 'assistant', content: '', reasoning_content: 'Because' })).toBe(
      '[assistant]\nBecause',
    );
  });

  test('without losing any text of a message, whatever its shape', () => {
    const text = String(
      textOf([
        { role: 'user', content: { odd: ['one', { deep: 'two' }] } },
        { role: 'x', extra: { y: 'three' }, audio: { transcript: 'four' } },
        {
          role: 'user',
          content: [['five'], 6, null, { type: 'document', source: { type: 'text', data: 'seven' } }],
        },
        { role: 'assistant', tool_calls: 'eight' },
      ]),
    );
    for (const word of ['one', 'two', 'three', 'four', 'five', '6', 'seven', 'eight'])
      expect(text).toContain(word);
  });
});

describe('other input', () => {
  test.each([
    [12, 'a number was sent'],
    [true, 'a boolean was sent'],
    [null, 'null was sent'],
    [[], 'an empty one was sent'],
    ['', 'an empty one was sent'],
    [[1, 2], 'a list of something else was sent'],
    [['a', ''], 'a list of something else was sent'],
    [[null], 'a list of something else was sent'],
    [{}, 'another object was sent'],
    [{ messages: [] }, 'another object was sent'],
  ])('%j as a prompt is refused with what to send', (sent, message) => {
    const { error } = promptText.safeParse(sent);
    expect(error?.issues[0]?.message).toBe(
      `Expected a string, or a list of messages {role, content}; ${message}`,
    );
  });

  test('leaves plain text unchanged', () => {
    expect(promptText.parse('[user]\nHi')).toBe('[user]\nHi');
  });
});

test('a response may be null or empty, as from a model that only called tools', () => {
  expect(responseText.parse(null)).toBe('');
  expect(responseText.parse('')).toBe('');
  expect(responseText.parse([])).toBe('');
  expect(responseText.safeParse(7).success).toBe(false);
});
