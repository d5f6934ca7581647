import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

/**
 * Every relative link in a Markdown file, and every docs page named in a file, points to an existing file and heading;
 * every named ADR exists.
 */
const root = packageRoot();
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', '.stack', 'data']);
const SOURCE = /\.(?:ts|tsx|mjs|js|json|ya?ml|sql|sh|css|html|txt|tpl)$|^Dockerfile$|^run$/;

interface TextFile {
  /** Path relative to the package root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

function filesBelow(folder: string, isWanted: (name: string) => boolean): TextFile[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : filesBelow(file, isWanted);
    if (!entry.isFile() || !isWanted(entry.name)) return [];
    return [{ file, text: readFileSync(path.join(root, file), 'utf8') }];
  });
}

const withoutCode = (text: string): string =>
  text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]{1,300}`/g, '');

/** Anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of text.replace(/^ *```.*?^ *```/gms, '').matchAll(/^#{1,6} (.{1,300})$/gm)) {
    const plain = heading!.replace(/\[([^\]]{1,200})\]\([^)]{1,200}\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

/** What is wrong with a link to `target`, a path relative to the package root with or without an anchor. */
function faultOf(target: string): string | null {
  const [file = '', anchor] = target.split('#');
  const full = path.join(root, file);
  if (!existsSync(full)) return `${file} does not exist`;
  if (anchor === undefined || !file.endsWith('.md')) return null;
  return anchorsOf(readFileSync(full, 'utf8')).has(anchor) ? null : `${file} has no heading #${anchor}`;
}

const linksOf = ({ file, text }: TextFile): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]{1,300})\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => (link.startsWith('#') ? file + link : path.posix.join(path.posix.dirname(file), link)));

const pagesNamedIn = ({ text }: TextFile): string[] =>
  [...text.matchAll(/(?<![\w./-])docs\/[\w/-]{1,100}\.md(?:#[\w-]{1,100})?/g)].map(([page]) => page);

const faultsOf = (file: TextFile, targets: readonly string[]): string[] =>
  [...new Set(targets)].flatMap((target) => {
    const fault = faultOf(target);
    return fault === null ? [] : [`${file.file}: ${fault}`];
  });

describe('links', () => {
  test('in Markdown files point to existing files and headings', () => {
    const pages = filesBelow('', (name) => name.endsWith('.md'));
    const links = pages.map((page) => [page, [...linksOf(page), ...pagesNamedIn(page)]] as const);
    expect(links.flatMap(([, targets]) => targets).length).toBeGreaterThan(300);
    expect(links.flatMap(([page, targets]) => faultsOf(page, targets))).toEqual([]);
  });

  test('to pages of docs from other files point to existing files and headings', () => {
    const sources = filesBelow('', (name) => SOURCE.test(name));
    const named = sources.map((source) => [source, pagesNamedIn(source)] as const);
    expect(named.flatMap(([, targets]) => targets).length).toBeGreaterThan(30);
    expect(named.flatMap(([source, targets]) => faultsOf(source, targets))).toEqual([]);
  });

  test('to decisions by number point to existing decisions', () => {
    const decisions = new Set(readdirSync(path.join(root, 'docs/adr')).map((file) => file.slice(0, 4)));
    const files = filesBelow('', (name) => name.endsWith('.md') || SOURCE.test(name));
    const named = files.flatMap(({ file, text }) =>
      [...text.matchAll(/\bADR (\d{4})\b/g)].map(([, number]) => ({ file, number: number! })),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ number }) => !decisions.has(number))).toEqual([]);
  });

  test('reports a missing file and a missing heading', () => {
    expect(faultOf('gone.md')).toBe('gone.md does not exist');
    expect(faultOf('README.md#no-such-heading')).toBe('README.md has no heading #no-such-heading');
    expect(faultOf('README.md#quick-start')).toBeNull();
  });
});
