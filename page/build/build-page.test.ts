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

/** By the program, in a process of its own: the bundler’s native part takes no values of a test’s realm. */
async function builtAgain(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'page-'));
  try {
    const file = path.join(folder, 'again.html');
    const program = compiledModule('page/build/main.ts');
    // From elsewhere: the bytes are no matter of where it is built.
    await promisify(execFile)(process.execPath, [program, file], { cwd: folder });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the page', () => {
  test('has the same bytes whenever it is built of the same sources, and no path of where that was', async () => {
    expect(await builtAgain()).toBe(page);
    expect(page).not.toContain(packageRoot());
  });

  test('allows its own style and script and nothing else', () => {
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

  test('is small beside a package, and names the libraries in it', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(300_000);
    for (const library of ['@noble/curves', '@noble/hashes', 'buffer', 'zod'])
      expect(page).toMatch(new RegExp(`${library} \\d+\\.\\d+\\.\\d+ \\(MIT\\)`));
  });

  test('says what it may do before it does anything', () => {
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page.indexOf('charset')).toBeLessThan(100);
  });
});

describe('parts that a browser would read otherwise', () => {
  const parts = { template: '{{policy}}/*{{style}}*//*{{script}}*/{{licences}}', style: 'a{}', licences: [] };
  test.each(['"</script>"', '"<!--"', 'a\r\nb', '"\0"'])('%j is refused', (script) =>
    expect(() => assemblePage({ ...parts, script })).toThrow('the script holds'),
  );
  test('licences are text', () => {
    const made = assemblePage({ ...parts, script: '$&', licences: ['<b> & co'] });
    expect(made).toMatch(/a\{\}\$&&lt;b&gt; &amp; co$/);
  });
  test('a place that is missing, or is no part, is refused', () => {
    expect(() => assemblePage({ ...parts, template: '', script: '' })).toThrow('exactly one {{policy}}');
    expect(() => assemblePage({ ...parts, template: `${parts.template}{{x}}`, script: '' })).toThrow(
      'placeholder {{x}}',
    );
  });
});
