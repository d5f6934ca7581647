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
 * Creates the folder, or removes other users' access to an existing one: it holds keys and customers' data. Throws when
 * another user owns it, and with what to do when it cannot be written.
 */
export function makeDataFolder(root: string, logger?: Pick<Logger, 'warn'>): DataFolder {
  const mended = makeWritable(root);
  if (mended !== null) {
    logger?.warn({ path: root, previousMode: mended.toString(8) }, 'restricted permissions of data folder');
  }
  return dataFolder(root);
}

function makeWritable(root: string): number | null {
  try {
    const mode = makePrivateFolder(root);
    accessSync(root, constants.W_OK);
    return mode;
  } catch (error) {
    const { code, path: place = root } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`DATA_DIR: ${reasonOf(code, place)}; set DATA_DIR to a folder that this user can write`);
  }
}

function reasonOf(code: string, place: string): string {
  if (code === 'EEXIST') return `${place} is a file`;
  if (code === 'ENOTDIR') return `${place} is inside a file`;
  if (code === 'ENOSPC') return `no space left on the disk of ${place}`;
  return `cannot create or write ${place} (${code})`;
}
