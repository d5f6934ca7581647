import { expect, test } from '#jest';
import { type BlockLine, openScreen } from './start-screen.ts';

const LINES: BlockLine[] = [
  ['Dashboard', 'http://127.0.0.1:8080/ui/', 'works once'],
  ['API', 'http://127.0.0.1:8080'],
];

function watched(output: { isTTY?: boolean; columns?: number }) {
  let text = '';
  const screen = openScreen({ ...output, write: (part) => (text += part) });
  return { screen, text: () => text };
}

test('a terminal shows the steps on one line, one block, and how to force the end', () => {
  const { screen, text } = watched({ isTTY: true, columns: 80 });
  screen.done('storage ready');
  screen.done('pipeline ready');
  screen.ready(LINES, 'Ctrl-C to stop');
  screen.stopping();
  expect(text()).toMatch(
    /^\n {2}Compliance Audit Service \d+\.\d+\.\d+ {3}storage ready {3}pipeline ready\n\n/,
  );
  expect(text()).toContain(
    '\n\n  ➜ Dashboard   http://127.0.0.1:8080/ui/  (works once)\n  ➜ API         http://127.0.0.1:8080\n\n  Ctrl-C to stop\n',
  );
  expect(text()).toMatch(/\n {2}Shutting down… \(Ctrl-C again to force\)\n$/);
});

test('a remark without room is below its value', () => {
  const { screen, text } = watched({ isTTY: true, columns: 50 });
  screen.ready(LINES, '');
  expect(text()).toContain('http://127.0.0.1:8080/ui/\n                (works once)\n');
});

test('a line interrupted by other output is ended once', () => {
  const { screen, text } = watched({ isTTY: true });
  screen.endLine();
  screen.endLine();
  screen.done('storage ready');
  expect(text().split('\n').slice(2)).toEqual(['  storage ready', '']);
});

test('elsewhere only the block is shown', () => {
  const { screen, text } = watched({});
  screen.done('storage ready');
  screen.ready(LINES, 'Ctrl-C to stop');
  screen.stopping();
  expect(text().split('\n')).toEqual([
    '  ➜ Dashboard   http://127.0.0.1:8080/ui/  (works once)',
    '  ➜ API         http://127.0.0.1:8080',
    '',
    '  Ctrl-C to stop',
    '',
  ]);
});
