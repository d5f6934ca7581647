import type { Module } from './modules.ts';

/** Structural measures that `npm run check:house` prints and the architecture tests limit. */

const ofProduct = (modules: readonly Module[]): Module[] => modules.filter(({ isTest }) => !isTest);
const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/'));

/** Source files in each folder, without tests; the fullest folder first. */
export function filesPerFolder(modules: readonly Module[]): [folder: string, files: number][] {
  const counts = new Map<string, number>();
  for (const { file } of ofProduct(modules)) {
    const folder = folderOf(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly longest: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p90: at(0.9), longest: sorted.at(-1) ?? 0 };
}

export const linesPerFile = (modules: readonly Module[]): number[] =>
  ofProduct(modules).map(({ lines }) => lines);
export const linesPerFunction = (modules: readonly Module[]): number[] =>
  ofProduct(modules).flatMap(({ functions }) => functions.map(({ lines }) => lines));

/** Functions with more than `most` lines, as `file:line: lines`. */
export const longFunctions = (modules: readonly Module[], most: number): string[] =>
  ofProduct(modules).flatMap(({ file, functions }) =>
    functions.filter(({ lines }) => lines > most).map(({ line, lines }) => `${file}:${line}: ${lines} lines`),
  );

/** Tarjan's strongly connected components of two or more nodes, each sorted. */
function components(nodes: readonly string[], next: (node: string) => Iterable<string>): string[][] {
  const order = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): { index: number; low: number; isOpen: boolean } => {
    const seen = { index: order.size, low: order.size, isOpen: true };
    order.set(node, seen);
    open.push(node);
    for (const to of next(node)) {
      const known = order.get(to);
      if (known === undefined) seen.low = Math.min(seen.low, visit(to).low);
      else if (known.isOpen) seen.low = Math.min(seen.low, known.index);
    }
    if (seen.low === seen.index) {
      const group = open.splice(open.indexOf(node));
      for (const member of group) order.get(member)!.isOpen = false;
      if (group.length > 1) found.push(group.sort());
    }
    return seen;
  };
  for (const node of nodes) if (!order.has(node)) visit(node);
  return found;
}

/** Import cycles of files, including type imports. */
export function circles(modules: readonly Module[]): string[][] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  return components([...byFile.keys()], (file) =>
    byFile
      .get(file)!
      .imports.map(({ from }) => from)
      .filter((from) => byFile.has(from)),
  );
}

/**
 * Import cycles of folders, including type imports but not tests; the largest cycle first. A folder means only its own
 * files: a file in a subfolder belongs to that subfolder, so a parent and its child that import each other also form a
 * cycle.
 */
export function folderCircles(modules: readonly Module[]): string[][] {
  const product = ofProduct(modules);
  const files = new Set(product.map(({ file }) => file));
  const next = new Map<string, Set<string>>();
  for (const { file, imports } of product) {
    const folder = folderOf(file);
    const others = next.get(folder) ?? new Set();
    next.set(folder, others);
    for (const { from } of imports)
      if (files.has(from) && folderOf(from) !== folder) others.add(folderOf(from));
  }
  return components([...next.keys()].sort(), (folder) => next.get(folder)!).sort(
    (a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1),
  );
}

/** Imports between folders of a cycle, as `file -> file`. */
export function importsWithin(circle: readonly string[], modules: readonly Module[]): string[] {
  return ofProduct(modules).flatMap(({ file, imports }) =>
    imports
      .filter(({ from }) => folderOf(from) !== folderOf(file))
      .filter(({ from }) => circle.includes(folderOf(file)) && circle.includes(folderOf(from)))
      .map(({ from }) => `${file} -> ${from}`),
  );
}

/** Exports of the product that no other file imports, including tests, as `file: name`. */
export function unusedExports(modules: readonly Module[]): string[] {
  const used = new Map<string, Set<string>>();
  for (const { imports } of modules) {
    for (const { from, names } of imports) {
      const set = used.get(from) ?? new Set();
      for (const name of names) set.add(name);
      used.set(from, set);
    }
  }
  return ofProduct(modules).flatMap(({ file, exports }) => {
    const names = used.get(file);
    if (names?.has('*')) return [];
    return exports.filter((name) => !names?.has(name)).map((name) => `${file}: ${name}`);
  });
}

/** Imports by the number of folders they go up. */
export function upsOfImports(modules: readonly Module[]): number[] {
  const counts: number[] = [];
  for (const { imports } of ofProduct(modules)) {
    for (const { ups } of imports) counts[ups] = (counts[ups] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

/** Product files that contain a word. */
export const filesThatSpell = (modules: readonly Module[], word: string): string[] =>
  ofProduct(modules)
    .filter(({ text }) => new RegExp(`\\b${word}\\b`).test(text))
    .map(({ file }) => file);
