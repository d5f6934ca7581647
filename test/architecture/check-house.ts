import { SHIPPED } from './layers.ts';
import {
  circles,
  filesPerFolder,
  filesThatSpell,
  folderCircles,
  importsWithin,
  linesPerFile,
  linesPerFunction,
  longFunctions,
  type Spread,
  spreadOf,
  unusedExports,
  upsOfImports,
} from './measures.ts';
import { readModules } from './modules.ts';

/** `npm run check:house [-- --list]`: code structure in numbers; with `--list` also the items behind each number. */

const COLUMN = 'hasThinkingBlock';
const MAX_LINES = 70;

const modules = readModules();
const isListed = process.argv.includes('--list');
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const list = (entries: readonly string[]): void => {
  if (isListed) for (const entry of entries) print(`    ${entry}`);
};
const spread = ({ median, p90, longest }: Spread): string =>
  `median ${median}, p90 ${p90}, longest ${longest}`;

const folders = filesPerFolder(modules);
print(`folders with more than 20 source files: ${folders.filter(([, files]) => files > 20).length}`);
list(folders.slice(0, 12).map(([folder, files]) => `${files} ${folder}`));
print(`lines per file: ${spread(spreadOf(linesPerFile(modules)))}`);
print(`lines per function: ${spread(spreadOf(linesPerFunction(modules)))}`);
const long = longFunctions(modules, MAX_LINES);
print(`functions of more than ${MAX_LINES} lines: ${long.length}`);
list(long);
const groups = circles(modules);
print(`circles of files: ${groups.length}`);
list(groups.map((group) => group.join(', ')));
const rings = folderCircles(modules);
print(`circles of folders: ${rings.length}, of ${rings.map(({ length }) => length).join(', ') || 'none'}`);
for (const ring of rings) {
  print(`  ${ring.length}: ${ring.join(' ')}`);
  list(importsWithin(ring, modules));
}
const unused = unusedExports(modules);
print(`unused exports: ${unused.length}`);
list(unused);
print(
  `imports by folders that they go up: ${upsOfImports(modules)
    .map((count, ups) => `${ups}: ${count}`)
    .join(', ')}`,
);
const spelled = filesThatSpell(modules, COLUMN);
print(`files that spell the column ${COLUMN}: ${spelled.length}`);
list(spelled);
let shipped = 0;
for (const layer of SHIPPED) {
  const own = modules.filter(({ file, isTest }) => !isTest && file.startsWith(`${layer}/`));
  const lines = own.reduce((sum, one) => sum + one.lines, 0);
  shipped += lines;
  print(`${layer}: ${own.length} files, ${lines} lines without tests`);
}
print(`all of these: ${shipped} lines`);
