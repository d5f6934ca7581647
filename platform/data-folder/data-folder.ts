import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Logger } from '#platform/telemetry/logger.ts';
import { makePrivateFolder } from './private-folder.ts';

/** Layout of an embedded service's data folder. */
export interface DataFolder {
  readonly root: string;
  readonly log: string;
  readonly state: string;
  readonly warehouse: string;
  readonly packages: string;
  readonly internalSecret: string;
  readonly masterKey: string;
  readonly signingKey: string;
}

export function dataFolder(root: string): DataFolder {
  return {
    root,
    log: path.join(root, 'log'),
    state: path.join(root, 'state'),
    warehouse: path.join(root, 'warehouse'),
    packages: path.join(root, 'packages'),
    internalSecret: path.join(root, 'internal-secret'),
    masterKey: path.join(root, 'master.key'),
    signingKey: path.join(root, 'signing.key'),
  };
}

/**
 * Creates the folder, or removes other users' access to an existing one, because it contains keys and customers' data.
 * Throws if another user owns it, or, saying what to do, if it cannot be written.
 */
export function makeDataFolder(root: string, logger?: Pick<Logger, 'warn'>): DataFolder {
  const oldMode = makeWritable(root);
  if (oldMode !== null) {
    logger?.warn({ path: root, previousMode: oldMode.toString(8) }, 'restricted permissions of data folder');
  }
  return dataFolder(root);
}

function makeWritable(root: string): number | null {
  try {
    const mode = makePrivateFolder(root);
    accessSync(root, constants.W_OK);
    return mode;
  } catch (error) {
    const { code, path: failedPath = root } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `DATA_DIR: ${reasonOf(code, failedPath)}; set DATA_DIR to a folder that this user can write`,
    );
  }
}

function reasonOf(code: string, failedPath: string): string {
  if (code === 'EEXIST') return `${failedPath} is a file`;
  if (code === 'ENOTDIR') return `${failedPath} is inside a file`;
  if (code === 'ENOSPC') return `no space left on the disk of ${failedPath}`;
  return `cannot create or write ${failedPath} (${code})`;
}
