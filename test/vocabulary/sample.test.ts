import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { docComments, drawFrom } from './sample.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'vocabulary-'));
  mkdirSync(path.join(root, 'services'));
  mkdirSync(path.join(root, 'web'));
  const comments = Array.from({ length: 40 }, (_, n) => `/** Comment ${n}. */\nconst a${n} = ${n};`);
  writeFileSync(path.join(root, 'services/a.ts'), comments.join('\n'));
  writeFileSync(path.join(root, 'services/a.test.ts'), '/** Of a test. */\n');
  writeFileSync(
    path.join(root, 'services/b.ts'),
    "logger.warn({}, 'partition stopped');\nthrow new Error('host not allowed; add it');\nf('neither of these');\n",
  );
  writeFileSync(path.join(root, 'web/c.tsx'), 'const C = () => <p title="ok">No signals yet</p>;\n');
});
afterEach(() => rmSync(root, { recursive: true }));

test('a seed always draws the same sample from one tree, and another seed another sample', () => {
  const draw = (seed: number) => drawFrom(root, { kind: 'comments', seed, count: 10 });
  expect(draw(41)).toEqual(draw(41));
  expect(draw(41)).toMatchObject({ of: 40, drawn: { length: 10 } });
  expect(new Set(draw(41).drawn.map(({ text }) => text)).size).toBe(10);
  expect(draw(42).drawn).not.toEqual(draw(41).drawn);
});

test('draws errors and logs together, and dashboard sentences separately', () => {
  const drawn = drawFrom(root, { kind: 'errors-and-logs', seed: 1, count: 60 }).drawn;
  expect(drawn.map(({ line, text }) => `${line} ${text}`).sort()).toEqual([
    '1 partition stopped',
    '2 host not allowed; add it',
  ]);
  expect(drawFrom(root, { kind: 'dashboard', seed: 1, count: 60 }).drawn).toEqual([
    { file: 'web/c.tsx', line: 1, kind: 'dashboard', text: 'No signals yet' },
  ]);
});

test('treats a comment of several lines as one text and skips other comments', () => {
  const text =
    'const a = 1;\n/**\n * One sentence,\n * on two lines.\n */\nconst b = 2; // no\n/* nor this */\n';
  expect(docComments({ file: 'a.ts', text })).toEqual([
    { file: 'a.ts', line: 2, text: 'One sentence, on two lines.' },
  ]);
});
