import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, type ScalarTag } from 'yaml';
import { packageRoot } from '#platform/config/package-root.ts';

/** The fields of a compose service that the tests check. */
export interface ComposeService {
  readonly image: string;
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly restart: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly networks?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly healthcheck: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly deploy: {
    readonly resources: {
      readonly limits: { readonly cpus: string; readonly memory: string; readonly pids: number };
    };
  };
}

type Tree = { [name: string]: unknown };

const RESET = Symbol('reset');

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `!reset` removes a value of an earlier file. */
const resetTag: ScalarTag = { tag: '!reset', resolve: () => RESET };

function read(file: string): Tree {
  const text = readFileSync(path.join(packageRoot(), file), 'utf8')
    .replaceAll(/!reset (\[\]|\{\}|null)/g, '!reset _')
    // The merge below always replaces lists, and the only map with this tag repeats every name from the first file.
    .replaceAll(/: !override\b ?/g, ': ');
  return parse(text, { merge: true, customTags: [resetTag] }) as Tree;
}

function mergeInto(base: Tree, overlay: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [name, value] of Object.entries(overlay)) {
    const before = merged[name];
    if (value === RESET) delete merged[name];
    else if (name === 'secrets' && Array.isArray(before) && Array.isArray(value))
      merged[name] = [...before, ...value];
    else merged[name] = isTree(before) && isTree(value) ? mergeInto(before, value) : value;
  }
  return merged;
}

/**
 * Services of compose files, later files merged over earlier ones, variables at their defaults. Simpler than compose's
 * own merge, which `npm run check:deploy` uses: correct when an overlay's lists are complete, except lists of secrets,
 * which are appended.
 */
export function composeServices(...files: string[]): Record<string, ComposeService> {
  const merged = files.map(read).reduce(mergeInto);
  const withDefaults = JSON.stringify(merged.services).replaceAll(/\$\{[A-Z0-9_]+:-([^}]*)\}/g, '$1');
  return JSON.parse(withDefaults) as Record<string, ComposeService>;
}
