import { describe, expect, test } from '#jest';
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
    ['calls with arguments below', times(4, 'Tool call: search\nArguments: {"q": "tea"}\nResult: timeout')],
    ['calls without brackets', times(4, 'Tool call: search_orders customer=42')],
    ['names of tools alone', times(4, 'Tool call: search_orders')],
    ['calls after a mark', times(4, '> calling tool search_orders with {"id": 7}')],
    ['numbered calls', [1, 2, 3, 4].map((step) => `${step}. search_orders(id=7): error`).join('\n')],
    [
      'calls with the number of the step',
      [1, 2, 3, 4].map((n) => `[${n}] tool: search args: id=7`).join('\n'),
    ],
    [
      'lines of a log',
      [1, 2, 3, 4].map((n) => `10:00:0${n} INFO Invoking function search with id=7`).join('\n'),
    ],
    ['events in JSON', [1, 2, 3, 4].map((n) => `{"step": ${n}, "tool": "search", "q": "tea"}`).join('\n')],
    ['tools with their input', times(4, 'Thought: again.\nTool: search\nInput: tea\nOutput: nothing')],
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

describe('agent-loop ignores', () => {
  test.each([
    [
      'calls that differ',
      [1, 2, 3, 4, 5, 6].map((id) => `{"name": "get", "arguments": {"id": ${id}}}`).join('\n'),
    ],
    ['pages', [1, 2, 3, 4, 5].map((n) => `Tool call: list_orders page=${n}\nResult: 20 rows`).join('\n')],
    [
      'tools in turn',
      ['search', 'open', 'read', 'send', 'close'].map((name) => `> calling tool ${name}`).join('\n'),
    ],
    ['numbered steps', [1, 2, 3, 4, 5].map((n) => `${n}. fetch_page(n=${n})`).join('\n')],
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

  test('a call polled until its result changes is at most a hint', () => {
    const polled = [10, 40, 70, 90]
      .map((share) => `Tool call: get_status(job=7)\nResult: ${share}%`)
      .join('\n');
    expect(found(polled).every(({ confidence }) => confidence < 0.5)).toBe(true);
  });

  test('repeated sentences in a prompt', () => {
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
  'Tool call: a b=1\nArguments: x\n',
  'tool: ',
  '1. a(b)\n',
  '{"tool": "a"\n',
  '<invoke name=',
])('agent-loop takes time linear in the length: %s', (piece) => {
  expect(growsInProportion((length) => found(piece.repeat(Math.ceil(length / piece.length))))).toBe(true);
});
