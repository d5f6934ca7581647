import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { packageRoot } from '#platform/config/package-root.ts';
import { SHIPPED } from './layers.ts';

export interface Import {
  /** Path relative to the package root, or a package's name. */
  readonly from: string;
  /** `*`: all of them. */
  readonly names: readonly string[];
  /** Number of folders the import goes up. */
  readonly ups: number;
}

export interface FunctionLength {
  /** Number of its first line. */
  readonly line: number;
  readonly lines: number;
}

/** One TypeScript file of the project, with the structure that these tests need. */
export interface Module {
  /** Path relative to the package root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  readonly lines: number;
  readonly isTest: boolean;
  readonly imports: readonly Import[];
  /** Names that the file itself declares and exports. */
  readonly exports: readonly string[];
  readonly functions: readonly FunctionLength[];
}

const FOLDERS = [...SHIPPED, 'bench', 'tuning', 'test'];
const TEST = /\.test\.ts$|\/testing\/|(^|\/)contract\.ts$|\.contract\.ts$|^test\//;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The path, relative to the package root, that an import in `file` resolves to. */
function resolve(file: string, name: string): string {
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(file), name);
  return name.startsWith('#') ? name.slice(1) : name;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Adds every function below a node of a syntax tree, including methods and nested functions. */
function addFunctions(value: unknown, found: Node[]): void {
  if (value === null || typeof value !== 'object') return;
  if (FUNCTIONS.includes((value as Node).type)) found.push(value as Node);
  for (const child of Object.values(value)) addFunctions(child, found);
}

function readModule(file: string, text: string): Module {
  const { program, module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: resolve(file, moduleRequest.value),
    names: entries.map(({ importName }) => (importName.kind === 'Name' ? importName.name! : '*')),
    ups: moduleRequest.value.split('../').length - 1,
  }));
  const exports: string[] = [];
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, moduleRequest } of entries) {
      if (moduleRequest === null) exports.push(exportName.name ?? 'default');
      else
        imports.push({
          from: resolve(file, moduleRequest.value),
          names: [importName.name ?? '*'],
          ups: moduleRequest.value.split('../').length - 1,
        });
    }
  }
  // Dynamic imports and type imports: `import('./x.ts')`.
  for (const [, name] of text.matchAll(/\bimport\(\s*'([^']{1,200})'\s*\)/g))
    imports.push({ from: resolve(file, name!), names: ['*'], ups: name!.split('../').length - 1 });
  const nodes: Node[] = [];
  addFunctions(program, nodes);
  const functions = nodes.map(({ start, end }) => {
    const line = lineOf(text, start);
    return { line, lines: lineOf(text, end) - line + 1 };
  });
  return {
    file,
    text,
    lines: text.split('\n').length - 1,
    isTest: TEST.test(file),
    imports,
    exports,
    functions,
  };
}

/** Every TypeScript file of the project. */
export function readModules(): Module[] {
  const root = packageRoot();
  return FOLDERS.flatMap((folder) => filesBelow(path.join(root, folder)))
    .map((absolute) => ({
      file: path.relative(root, absolute).replaceAll(path.sep, '/'),
      text: readFileSync(absolute, 'utf8'),
    }))
    .map(({ file, text }) => readModule(file, text))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
