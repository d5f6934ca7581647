import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Who reads a file: the numbers of the user and group inside that part's image. */
export interface Owners {
  readonly service: number;
  readonly redis: number;
  readonly clickhouse: number;
}

const IMAGE_OWNERS: Owners = { service: 10001, redis: 999, clickhouse: 101 };

const newPassword = (): string => randomBytes(24).toString('hex');

/**
 * Makes every secret of the compose set-up that is not there yet, each readable by its one reader only (mode 0600).
 * A file that exists is never touched: losing the master key loses everything that is sealed under it. Returns the
 * names of the files that were made.
 */
export function makeKeys(folder: string, owners: Owners = IMAGE_OWNERS): string[] {
  const made: string[] = [];
  const put = (name: string, content: Buffer | string, owner: number): void => {
    write(path.join(folder, name), content, owner);
    made.push(name);
  };
  const isMissing = (name: string): boolean => !existsSync(path.join(folder, name));

  if (isMissing('master.key')) put('master.key', randomBytes(32), owners.service);
  if (isMissing('signing.key')) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    put('signing.key', pem, owners.service);
  }
  if (isMissing('internal-secret')) put('internal-secret', randomBytes(32).toString('hex'), owners.service);
  // The server's half comes first: once the client's password is there, both are.
  if (isMissing('redis-password')) {
    const password = newPassword();
    put('redis.conf', `requirepass ${password}\nmasterauth ${password}\n`, owners.redis);
    put('redis-password', password, owners.service);
  }
  if (isMissing('clickhouse-password')) {
    const password = newPassword();
    put('clickhouse-account.xml', clickhouseAccount(password), owners.clickhouse);
    put('clickhouse-password', password, owners.service);
  }
  return made;
}

/** What `incl="cas_password_sha256"` of deploy/image/clickhouse-users.xml stands for. */
function clickhouseAccount(password: string): string {
  const digest = createHash('sha256').update(password).digest('hex');
  return `<clickhouse><cas_password_sha256>${digest}</cas_password_sha256></clickhouse>\n`;
}

/** The whole file or none of it, also after a power loss. */
function write(file: string, content: Buffer | string, owner: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.draft`;
  // One that a crash left may belong to its reader already, who alone could open it.
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
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('usage: make-keys <folder>');
  const made = makeKeys(folder);
  process.stdout.write(
    made.length === 0 ? 'Every secret is there.\n' : `Made ${made.join(', ')} in ${folder}.\n`,
  );
}
