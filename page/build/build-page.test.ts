import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '#jest';
import { builtFile, compiledModule, packageRoot } from '#platform/config/package-root.ts';
import { assemblePage } from './assemble.ts';

const page = readFileSync(builtFile('page/verify.html'), 'utf8');

/** Runs the build in a separate process: the bundler’s native part rejects values from a test’s realm. */
async function builtAgain(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'page-'));
  try {
    const file = path.join(folder, 'again.html');
    const program = compiledModule('page/build/main.ts');
    // From another folder: the bytes must not depend on where it is built.
    await promisify(execFile)(process.execPath, [program, file], { cwd: folder });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the page', () => {
  test('has the same bytes when built from the same sources, and no path of the build', async () => {
    expect(await builtAgain()).toBe(page);
    expect(page).not.toContain(packageRoot());
  });

  test('allows only its own style and script', () => {
    const partOf = (tag: string): string => page.split(`<${tag}>`)[1]!.split(`</${tag}>`)[0]!;
    const sourceOf = (tag: string): string =>
      `'sha256-${createHash('sha256').update(partOf(tag)).digest('base64')}'`;
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!.split('; ');
    expect(policy.slice(0, 3)).toEqual([
      "default-src 'none'",
      `script-src ${sourceOf('script')}`,
      `style-src ${sourceOf('style')}`,
    ]);
    expect(policy).toContain("trusted-types 'none'");
    expect(page.split('<script').length).toBe(2);
  });

  test('is small compared with a package, and names its libraries', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(300_000);
    for (const library of ['@noble/curves', '@noble/hashes', 'buffer', 'zod'])
      expect(page).toMatch(new RegExp(`${library} \\d+\\.\\d+\\.\\d+ \\(MIT\\)`));
  });

  test('declares its policy before anything else', () => {
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page.indexOf('charset')).toBeLessThan(100);
  });
});

describe('parts that a browser would read differently', () => {
  const parts = { template: '{{policy}}/*{{style}}*//*{{script}}*/{{licences}}', style: 'a{}', licences: [] };
  test.each(['"</script>"', '"<!--"', 'a\r\nb', '"\0"'])('rejects %j', (script) =>
    expect(() => assemblePage({ ...parts, script })).toThrow('the script holds'),
  );
  test('licences are text', () => {
    const made = assemblePage({ ...parts, script: '$&', licences: ['<b> & co'] });
    expect(made).toMatch(/a\{\}\$&&lt;b&gt; &amp; co$/);
  });
  test('rejects a missing or unknown placeholder', () => {
    expect(() => assemblePage({ ...parts, template: '', script: '' })).toThrow('exactly one {{policy}}');
    expect(() => assemblePage({ ...parts, template: `${parts.template}{{x}}`, script: '' })).toThrow(
      'placeholder {{x}}',
    );
  });
});
