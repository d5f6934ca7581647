import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stateUsersFile } from '#records/state-rights.ts';
import { accountOf, WAREHOUSE_ROLES } from '#schemas/tables/rights.ts';
import { digestName } from './clickhouse-users.ts';
import {
  CLICKHOUSE_PASSWORDS,
  clickhousePassword,
  KEY_READERS,
  type Owner,
  REDIS_PASSWORDS,
  REDIS_USERS,
  redisPassword,
} from './key-readers.ts';

/** User ids inside the images; `keeper` owns the source folder. */
export type Owners = Readonly<Record<Owner | 'keeper', number>>;

const IMAGE_OWNERS: Owners = { keeper: 0, service: 10001, redis: 999, clickhouse: 101 };

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const newPassword = (): string => randomBytes(24).toString('hex');

/**
 * Creates every missing secret of the compose set-up, readable only by the keeper (mode 0600). Existing files are never
 * touched: losing the master key loses everything sealed with it. Returns the names of the created files.
 */
export function makeKeys(folder: string, owners: Owners = IMAGE_OWNERS): string[] {
  const made: string[] = [];
  const put = (name: string, content: Buffer | string): void => {
    write(path.join(folder, name), content, owners.keeper);
    made.push(name);
  };
  const isMissing = (name: string): boolean => !existsSync(path.join(folder, name));

  if (isMissing('master.key')) put('master.key', randomBytes(32));
  if (isMissing('signing.key')) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    put('signing.key', pem);
  }
  if (isMissing('internal-secret')) put('internal-secret', randomBytes(32).toString('hex'));
  for (const name of [...REDIS_PASSWORDS, ...CLICKHOUSE_PASSWORDS])
    if (isMissing(name)) put(name, newPassword());
  return made;
}

/**
 * Gives each container its own folder with copies of the files it reads, so that none sees files it does not need. The
 * copies are replaced on every call, atomically, to pick up changes in `folder`.
 */
export function handOutKeys(folder: string, handedTo: string, owners: Owners = IMAGE_OWNERS): void {
  const stored = (name: string): Buffer => {
    const source = path.join(folder, name);
    // In an earlier release the reader owned this file. Only the owner may read it, and this process may only change
    // the owner.
    chownSync(source, owners.keeper, owners.keeper);
    return readFileSync(source);
  };
  for (const [reader, { owner, files }] of Object.entries(KEY_READERS)) {
    for (const [name, secret] of Object.entries(files)) {
      const content = SERVER_HALVES[secret]?.(stored) ?? stored(secret);
      write(path.join(handedTo, reader, name), content, owners[owner]);
    }
  }
}

/** The servers' counterparts of the clients' passwords, derived from them. */
const SERVER_HALVES: Readonly<Record<string, (stored: (name: string) => Buffer) => string>> = {
  'users.acl': (stored) =>
    stateUsersFile((user) => (REDIS_USERS.includes(user) ? sha256(stored(redisPassword(user))) : null)),
  'clickhouse-account.xml': (stored) => {
    const digests = WAREHOUSE_ROLES.map((role) => {
      const digest = sha256(stored(clickhousePassword(role)));
      const name = digestName(accountOf(role));
      return `<${name}>${digest}</${name}>`;
    });
    return `<clickhouse>${digests.join('')}</clickhouse>\n`;
  },
};

/** Writes the file atomically, even across a power loss. */
function write(file: string, content: Buffer | string, owner: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.draft`;
  // A draft left by a crash may already belong to its reader, and only that user could open it.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  chownSync(draft, owner, owner);
  renameSync(draft, file);
  const parent = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, handedTo] = process.argv.slice(2);
  if (folder === undefined || handedTo === undefined)
    throw new Error('usage: make-keys <folder> <folder with a folder for each container>');
  const made = makeKeys(folder);
  handOutKeys(folder, handedTo);
  process.stdout.write(
    made.length === 0 ? 'Every secret is there.\n' : `Made ${made.join(', ')} in ${folder}.\n`,
  );
}
