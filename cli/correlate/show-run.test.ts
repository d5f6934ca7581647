import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { printRun, runProgress } from './show-run.ts';
import { RUN_ID, runningRun, samplePattern, sampleRun } from './testing/sample-run.ts';

describe('a completed run', () => {
  let out = '';
  const columns = process.stdout.columns;
  let taken: jest.Spied<typeof process.stdout.write>;
  beforeEach(() => {
    out = '';
    process.stdout.columns = 80;
    taken = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    });
  });
  afterEach(() => {
    taken.mockRestore();
    process.stdout.columns = columns;
  });
  test('is shown with id, period and counts, and a row per event', () => {
    const times = { firstSeen: '2026-11-05T05:10:00.000Z', lastSeen: '2026-11-06T01:00:00.000Z' };
    const patterns = [
      samplePattern({ description: 'What happened.' }),
      samplePattern({ type: 'CROSS_SANDBOX', count: 31, riskLevel: 'CRITICAL', description: 'The same.' }),
      samplePattern({ type: 'RECURRING', ...times }),
      samplePattern({ type: 'RECURRING', ...times, status: 'RETRACTED' }),
      samplePattern({ type: 'MODEL_REGRESSION', key: 'model:openai/gpt-5', description: 'Another.' }),
    ];
    printRun(sampleRun({ patternCount: 5, patterns }));
    const lines = out.split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'Searched 1,234 signals, 2026-11-01 00:00 to 2026-11-30 23:59 UTC.',
      `Run ${RUN_ID}`,
      '',
      '5 patterns from 2 events:',
      '',
    ]);
    expect(lines[5]).toMatch(/^RISK +SEEN \(UTC\) +SIGNALS +PATTERNS +WHAT HAPPENED$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const text = out.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/CRITICAL 2026-11-05 05:00 .*31 BURST, .*What happened\./);
    for (const kind of ['CROSS_SANDBOX,', 'RECURRING,', 'RECURRING', '(retracted)'])
      expect(text).toContain(kind);
    expect(text).toMatch(/HIGH 2026-11-05 05:00 .*20 MODEL_REGRESSION Another\./);
    expect(text).not.toContain('The same.');
    expect(out).toContain(`cas correlate --run ${RUN_ID} --json`);
    expect(out).not.toContain('not stored');
  });

  test('says so when there are no patterns, and names its sandbox and the number of patterns not stored', () => {
    const parameters = { ...sampleRun().parameters, sandboxSlug: 'support' };
    printRun(sampleRun({ parameters, analyzedSignals: 1, patternCount: 0, patterns: [] }));
    expect(out).toMatch(/^Searched 1 signal in sandbox support, .*\nRun \S+\n\nNo patterns found\.\n$/);
    printRun(sampleRun({ patternCount: 3, patternsLeftOut: 2 }));
    expect(out).toContain('2 patterns not stored: the least certain ones.\n');
  });

  test('escapes control characters in external names', () => {
    printRun(sampleRun({ patterns: [samplePattern({ description: '\u001b[2Jevil \u202emodel' })] }));
    expect(out).toContain('\\u001b[2Jevil');
    expect(out).toContain('\\u202emodel');
  });
});

describe('progress', () => {
  /** The output on a stream that is a terminal or not. */
  function shownOn(isTTY: boolean, play: (progress: ReturnType<typeof runProgress>) => void): string {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, cursorTo: () => true });
    const terminal = Object.assign(stream, { clearLine: () => true, moveCursor: () => true });
    const progress = runProgress(terminal as unknown as NodeJS.WriteStream);
    play(progress);
    progress.stop();
    return String(terminal.read() ?? '');
  }

  test('is a bar on a terminal, once a run is in progress', () => {
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
