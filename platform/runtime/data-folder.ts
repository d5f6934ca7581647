import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Where the embedded parts keep what. */
export interface DataFolder {
  readonly root: string;
  readonly log: string;
  readonly state: string;
  readonly warehouse: string;
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
    internalSecret: path.join(root, 'internal-secret'),
    masterKey: path.join(root, 'master.key'),
    signingKey: path.join(root, 'signing.key'),
  };
}

/** Makes the folder; keys lie in it, so that nobody else may look inside. */
export function makeDataFolder(root: string): DataFolder {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return dataFolder(root);
}
