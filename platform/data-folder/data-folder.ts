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
 * another user owns it.
 */
export function makeDataFolder(root: string, logger?: Pick<Logger, 'warn'>): DataFolder {
  const mended = makePrivateFolder(root);
  if (mended !== null) {
    logger?.warn(
      { folder: root, mode: mended.toString(8) },
      'others could enter the data folder; it is closed to them now, and what they read before stays read',
    );
  }
  return dataFolder(root);
}
