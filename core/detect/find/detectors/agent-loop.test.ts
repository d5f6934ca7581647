import { describe, expect, test } from '@jest/globals';
import type { TextSource } from '../../read/texts.ts';
import { growsInProportion } from '../../testing/growth.ts';
import { agentLoop } from './agent-loop.ts';

const found = (text: string, source: TextSource = 'response') => agentLoop.searchWhole(text, source);
const times = (count: number, piece: string, between = '\n'): string =>
  Array(count).fill(piece).join(between);

let counter = 1;

describe('agent-loop finds', () => {
  test.each([
    ['calls in OpenAI’s shape', times(4, '{"name": "search", "arguments": "{\\"q\\": \\"tea\\"}"}')],
    [
      'the arguments before the name',
      times(4, '{"function": {"arguments": "{\\"q\\": 1}", "name": "search"}, "id": "x"}'),
    ],
    [
      'calls in Anthropic’s shape',
      times(4, '{"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.txt"}}'),
    ],
    ['actions', times(4, 'Action: search\nAction Input: tea\nObservation: nothing')],
    ['tags', times(4, '<invoke name="ls"><parameter name="path">/srv</parameter></invoke>')],
    ['lines of calls', times(4, 'Calling get_weather(city="Oslo")\nError: timeout')],
    ['commands', times(6, '$ make deploy\nfailed')],
    ['pairs in turn', times(3, 'Action: open\nAction Input: a\nAction: close\nAction Input: a')],
    ['a sentence', times(6, 'I need to look at the file again.', ' ')],
    ['a block', times(4, 'I will open the settings page now. The page does not answer me.', ' ')],
    ['words', times(20, 'and so', ' ')],
    [
      'retries',
      times(4, 'The request failed again today, number N. Let me try again.').replaceAll('N', () =>
        String(counter++),
      ),
    ],
  ])('%s', (_name, text) => {
    expect(found(text).some(({ confidence }) => confidence >= 0.5)).toBe(true);
  });
});

describe('agent-loop leaves alone', () => {
  test.each([
    [
      'calls that differ',
      [1, 2, 3, 4, 5, 6].map((id) => `{"name": "get", "arguments": {"id": ${id}}}`).join('\n'),
    ],
    ['a table', times(8, '| 1 | 2 | yes |')],
    ['code', times(8, 'print("hello world")')],
    ['a log', times(8, '2024-05-15 10:00:00 INFO request served in 3 ms')],
    [
      'a refrain',
      `${times(3, 'Down by the river the willows sing to me.\nThe evening grows colder.')}\nThe end comes soon.`,
    ],
    ['a list', [1, 2, 3, 4, 5].map((n) => `- Item ${n} costs ${n * 3} euros and is in stock`).join('\n')],
    ['laughter', times(15, 'ha', ' ')],
    ['one retry', 'The call failed. Let me try again. It worked this time and the file is there.'],
    ['an empty text', ''],
  ])('%s', (_name, text) => expect(found(text)).toEqual([]));

  test('sentences of a prompt', () => {
    expect(found(times(8, 'I need to look at the file again.', ' '), 'prompt')).toEqual([]);
  });
});

test.each([
  '"arguments": "',
  '"input":{',
  'action: ',
  '$ a\n',
  'a b ',
  'let me try again ',
  'word word. ',
  'calling a(',
  '<invoke name=',
])('time grows with the length: %s', (piece) => {
  expect(growsInProportion((length) => found(piece.repeat(Math.ceil(length / piece.length))))).toBe(true);
});
