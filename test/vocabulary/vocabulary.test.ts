import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { errorClasses } from './error-classes.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { describeRefused, refusedTexts } from './refused.ts';
import { readSources } from './sources.ts';
import { textsOf } from './texts.ts';

const sources = readSources(packageRoot());

test('no text shown to people uses an old word', () => {
  expect(refusedTexts(sources).map(describeRefused)).toEqual([]);
});

test('finds texts of every kind', () => {
  const errors = errorClasses(sources);
  const counts = new Map<string, number>();
  for (const { kind } of sources.flatMap((source) => textsOf(source, errors)))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const atLeast = { dashboard: 700, cli: 200, error: 400, log: 80, openapi: 300, setting: 50, metric: 15 };
  for (const [kind, count] of Object.entries(atLeast))
    expect([kind, (counts.get(kind) ?? 0) >= count]).toEqual([kind, true]);
});

test('every exception names an existing file', () => {
  expect(EXCEPTIONS.filter(({ file }) => !sources.some((source) => file.test(source.file)))).toEqual([]);
});

describe('rejects an old word', () => {
  const refusedIn = (file: string, text: string): string[] =>
    refusedTexts([{ file, text }]).map(({ kind, text: found }) => `${kind}: ${found}`);

  test.each([
    ['between tags', 'const A = () => <p>The ledger <b>goes on</b> from here</p>;', 'dashboard: goes on'],
    ['in an attribute', 'const A = () => <button title="Renew the list" />;', 'dashboard: Renew the list'],
    ['in an expression', "const A = () => <p>{isOpen ? 'is under way' : ''}</p>;", 'dashboard: is under way'],
    ['as a label', "const LABEL = 'Renew';", 'dashboard: Renew'],
    [
      'in a template',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template
      'const a = (n: number) => `${n} signals, begun ${n}`;',
      'dashboard: … signals, begun …',
    ],
  ])('of the dashboard: %s', (_, text, expected) => {
    expect(refusedIn('web/src/pages/sample.tsx', text)).toEqual([expected]);
  });

  test('of the verification page in packages', () => {
    expect(refusedIn('page/template/sample.html', '<p>Keep it beside\n the file</p>')).toEqual([
      'dashboard: Keep it beside the file',
    ]);
  });

  test('of the command line', () => {
    const command = "program.command('x').description('go on with a state'); print('Nobody is signed in');";
    expect(refusedIn('cli/sample.ts', command)).toEqual([
      'cli: go on with a state',
      'cli: Nobody is signed in',
    ]);
  });

  test.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template
    ["throw new Error(`say --yes to do ${'it'}`);", 'error: say --yes to do …'],
    ["const a = new ApiError('X', 'decide anew');", 'error: decide anew'],
    ["refuse(new Refusal('X', { message: 'put away already' }));", 'error: put away already'],
    ["class Gone extends Error { constructor() { super('the part is gone'); } }", 'error: the part is gone'],
  ])('of an error: %s', (text, expected) => {
    expect(refusedIn('services/sample.ts', text)).toEqual([expected]);
  });

  test('of a schema', () => {
    const schema =
      "z.string().max(3, { error: 'what came is too long' }).meta({ description: 'a hole of the log' });";
    expect(refusedIn('schemas/api/sample.ts', schema)).toEqual([
      'error: what came is too long',
      'openapi: a hole of the log',
    ]);
  });

  test.each([
    ["this.#options.logger.warn({ topic }, 'the partition goes on');", 'log: the partition goes on'],
    ["logger[isBad ? 'error' : 'warn']({}, 'mended');", 'log: mended'],
    ["logger?.info({}, isLate ? 'ready' : 'put away');", 'log: put away'],
  ])('of a log message: %s', (text, expected) => {
    expect(refusedIn('services/sample.ts', text)).toEqual([expected]);
  });

  test('of a setting, and of a metric', () => {
    const setting = "const A = { LIMIT: { description: 'Bodies under way.' } };";
    expect(refusedIn('platform/config/sample.ts', setting)).toEqual(['setting: Bodies under way.']);
    const metric = "new Counter({ name: 'x_total', help: 'Partitions that cannot go on' });";
    expect(refusedIn('platform/sample.ts', metric)).toEqual(['metric: Partitions that cannot go on']);
  });
});

test('ignores names, types, modules and comments', () => {
  const source = `// Nobody goes on.
    import { begin } from './behind/the-desk.ts';
    type Place = 'a place' | 'begun';
    const A = () => <p className="goes on" id="the desk">{begin['hole'] ?? state === 'begun'}</p>;`;
  expect(refusedTexts([{ file: 'web/src/sample.tsx', text: source }])).toEqual([]);
});
