import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { printRun, runProgress } from './show-run.ts';
import { RUN_ID, runningRun, samplePattern, sampleRun } from './testing/sample-run.ts';

describe('a run that is complete', () => {
  let out = '';
  let taken: jest.Spied<typeof process.stdout.write>;
  beforeEach(() => {
    out = '';
    taken = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    });
  });
  afterEach(() => taken.mockRestore());
  /** Cells of the rows behind the head. */
  const rows = (): string[][] =>
    out
      .split('\n')
      .filter((line) => line.startsWith('│'))
      .slice(1)
      .map((line) =>
        line
          .split('│')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

  test('is told with a row for each pattern: what came against what is usual, when, and a sentence', () => {
    const share = { type: 'MODEL_REGRESSION', key: 'model:openai/gpt-5', observed: 0.41666, baseline: 0.1 };
    const patterns = [samplePattern(), samplePattern({ ...share, status: 'RETRACTED' } as const as object)];
    printRun(sampleRun({ patternCount: 2, patterns }));
    expect(out).toContain(
      `Run ${RUN_ID} looked at 1,234 signals from 2026-11-01T00:00:00.000Z to 2026-11-30T23:59:59.999Z: 2 patterns.\n`,
    );
    const shared = ['0.99', 'HIGH', '2026-11-05 05:00', '2026-11-05 05:47', samplePattern().description];
    expect(rows()).toEqual([
      ['BURST', 'violation:SSN', '20', '20', '1.23', ...shared],
      ['MODEL_REGRESSION (retracted)', 'model:openai/gpt-5', '20', '0.417', '0.1', ...shared],
    ]);
    expect(out).not.toContain('not kept');
  });

  test('says so when there is nothing, names its sandbox, and how many patterns are not kept', () => {
    const parameters = { ...sampleRun().parameters, sandboxSlug: 'support' };
    printRun(sampleRun({ parameters, analyzedSignals: 1, patternCount: 0, patterns: [] }));
    expect(out).toMatch(/looked at 1 signal of sandbox support from .*: 0 patterns\.\n$/);
    printRun(sampleRun({ patternCount: 3, patternsLeftOut: 2 }));
    expect(out).toMatch(/2 more patterns not kept: the least certain ones\.\n$/);
  });

  test('shows names of others as text, whatever a terminal would do with them', () => {
    printRun(sampleRun({ patterns: [samplePattern({ key: 'model:\u001b[2Jevil/\u202emodel' })] }));
    expect(out).toContain('model:\\u001b[2Jevil/\\u202emodel');
  });
});

describe('progress', () => {
  /** What is written to a stream that is a terminal, or none. */
  function shownOn(isTTY: boolean, play: (progress: ReturnType<typeof runProgress>) => void): string {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, cursorTo: () => true });
    const terminal = Object.assign(stream, { clearLine: () => true, moveCursor: () => true });
    const progress = runProgress(terminal as unknown as NodeJS.WriteStream);
    play(progress);
    progress.stop();
    return String(terminal.read() ?? '');
  }

  test('is a bar on a terminal, once a run is under way', () => {
    const shown = shownOn(true, (progress) => {
      progress.show(runningRun(0.5));
      progress.show(sampleRun());
    });
    expect(shown).toContain('617 of 1,234 signals');
    expect(shownOn(true, (progress) => progress.show(sampleRun()))).toBe('');
  });

  test('is silent elsewhere', () => {
    expect(shownOn(false, (progress) => progress.show(runningRun(0.5)))).toBe('');
  });
});
