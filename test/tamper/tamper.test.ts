import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { CHECKS } from './checks/checks.ts';
import { HEADINGS, NO_REASON, pageOf } from './page/proof-page.ts';
import { rowsUnder } from './page/tables.ts';
import { type Observed, runCases } from './run-cases.ts';
import { operationName, READS, shapeOfAnswer } from './served/questions.ts';
import { fieldsOf } from './served/shapes.ts';
import { FILE } from './served/snapshot.ts';
import { startWorld, type World } from './world/world.ts';

/** Changes from outside the service are detected exactly by the checks named in docs/proof.md. */

/** The page for readers, and the complete observations of the suite. */
const PAGES = ['docs/proof.md', 'test/tamper/observed.txt'];
const page = PAGES.map((file) => readFileSync(path.join(packageRoot(), file), 'utf8')).join('\n');
/** Writes the text as two files into `dist`. */
const writePages = (text: string): void => {
  const end = text.indexOf(`\n## ${HEADINGS.stored}\n`);
  for (const [number, part] of [text.slice(0, end), text.slice(end + 1)].entries())
    writeFileSync(path.join(packageRoot(), 'dist', path.basename(PAGES[number]!)), part);
};
const linesOf = (text: string): Set<string> =>
  new Set(text.split('\n').filter((line) => line.startsWith('| ')));

const CONTRACTS = READS.map((contract) => {
  const shape = shapeOfAnswer(contract);
  return { operation: operationName(contract), fields: shape === null ? [FILE] : fieldsOf(shape) };
});
const OTHERS = ROUTES.filter((contract) => !READS.includes(contract)).map(operationName);

let world: World;
let observed: readonly Observed[];
let expected: string;
beforeAll(async () => {
  world = await startWorld();
  observed = await runCases(world);
  expected = pageOf(page, observed, CONTRACTS, OTHERS);
}, 900_000);
afterAll(() => world?.close());

describe('docs/proof.md and test/tamper/observed.txt', () => {
  test('names every existing check', () => {
    const names = rowsUnder(page, HEADINGS.checks).map(([name]) => name);
    expect(names.sort()).toEqual(Object.keys(CHECKS).sort());
  });

  test('state how every change is detected and where every served field comes from', () => {
    if (expected !== page) writePages(expected);
    const [written, seen] = [linesOf(page), linesOf(expected)];
    const unfounded = [...written].filter((line) => !seen.has(line));
    const missing = [...seen].filter((line) => !written.has(line));
    expect({ isWritten: expected !== page, unfounded, missing }).toEqual({
      isWritten: false,
      unfounded: [],
      missing: [],
    });
  });

  test('give a reason for every change that is not detected', () => {
    expect(page).not.toContain(`| ${NO_REASON} |`);
  });
});

test('every table has rows, so each of its columns was changed', () => {
  const places = new Set(observed.map(({ place }) => place));
  expect(TABLES.map(({ name }) => name).filter((name) => !places.has(name))).toEqual([]);
});
