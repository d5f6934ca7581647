import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';

/** Layout of a stack's folder. */
export interface StackFolder {
  readonly root: string;
  readonly logs: string;
  readonly keys: string;
  /** `name`: of a member, such as `redis` or `kafka-2`. */
  server(name: string): string;
  log(name: string): string;
}

export function stackFolder(root: string): StackFolder {
  const absolute = path.resolve(root);
  const logs = path.join(absolute, 'logs');
  return {
    root: absolute,
    logs,
    keys: path.join(absolute, 'keys'),
    server: (name) => path.join(absolute, name),
    log: (name) => path.join(logs, `${name}.log`),
  };
}

/** The stack of this checkout, or the one set by STACK_DIR. */
export const ownStackFolder = (): StackFolder =>
  stackFolder(process.env.STACK_DIR || path.join(packageRoot(), '.stack'));
