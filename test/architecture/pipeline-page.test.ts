import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

/** docs/pipeline.md names the files that keep each rule and the tests that try to break it: all must exist. */
const PAGE = path.join(packageRoot(), 'docs/pipeline.md');

interface Named {
  /** The link on the page, relative to the page. */
  readonly file: string;
  /** Test titles that the page quotes after the link. */
  readonly titles: readonly string[];
}

interface Rule {
  readonly rule: string;
  readonly keptBy: readonly Named[];
  readonly triedBy: readonly Named[];
}

function named(cell: string): Named[] {
  const links = [...cell.matchAll(/\]\(([^)]{1,200})\)([^[]*)/g)];
  return links.map(([, file, rest]) => ({
    file: file!,
    titles: [...rest!.matchAll(/"([^"]{1,300})"/g)].map(([, title]) => title!),
  }));
}

const rules: Rule[] = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes(']('))
  .map((line) => line.split(' | '))
  .map(([rule, keptBy, triedBy]) => ({
    rule: rule!.slice(2),
    keptBy: named(keptBy ?? ''),
    triedBy: named(triedBy ?? ''),
  }));

const sourceOf = (file: string): string => readFileSync(path.resolve(path.dirname(PAGE), file), 'utf8');

describe('docs/pipeline.md', () => {
  test('lists the rules', () => expect(rules.length).toBeGreaterThan(20));

  test.each(rules)('$rule', ({ keptBy, triedBy }) => {
    expect(keptBy.length).toBeGreaterThan(0);
    expect(triedBy.length).toBeGreaterThan(0);
    const missing = [...keptBy, ...triedBy].filter(
      ({ file }) => !existsSync(path.resolve(path.dirname(PAGE), file)),
    );
    expect(missing).toEqual([]);
    const unmatched = triedBy.flatMap(({ file, titles }) => {
      const source = sourceOf(file);
      return titles.filter((title) => !source.includes(title)).map((title) => `${file}: ${title}`);
    });
    expect(unmatched).toEqual([]);
  });
});
