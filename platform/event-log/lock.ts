import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { refuseOpenFolder } from '../runtime/private-folder.ts';
import { openSocketFolder, type SocketFolder } from '../runtime/socket-folder.ts';

export interface DataLock {
  release(): Promise<void>;
}

/** What a claimant says to those who ask. */
const HELD = 'h';
const CLAIMED = 'c';

/** A name is published once the socket behind it listens, so that one that refuses a connection is dead. */
const PUBLISHED = /^lock-[0-9a-f]{16}$/;
const DRAFT = /^lock-[0-9a-f]{16}\.new$/;
/** A process that is stopped or busy still holds what it held. */
const ANSWER_LIMIT_MS = 2_000;
/** More than one for each that starts at the same time; who finds the folder busy for so long is refused. */
const MAX_LOOKS = 100;

/**
 * Claims a data folder for this process until `release` or the end of the process, however it ends. Rejects when the
 * folder is missing, open to other users, or claimed, by another process or by this one.
 *
 * A claim is a socket in the folder with a name that nobody has had. Each claimant first publishes its own, then looks
 * for others: of two, at least the later one sees the other, so that never both hold the folder. What a killed process
 * left behind refuses connections and is removed; no name is used twice, so nothing alive is ever removed for it.
 */
export async function acquireDataLock(dataDir: string): Promise<DataLock> {
  const folder = openSocketFolder(dataDir);
  let claim: Claim | null = null;
  let isWon = false;
  const release = async (): Promise<void> => {
    await claim?.withdraw();
    folder.close();
  };
  try {
    // In a folder that others may write to a lock would keep nobody out.
    refuseOpenFolder(dataDir, folder.stats());
    claim = await publishClaim(folder);
    isWon = claim !== null && (await wins(folder, claim));
  } finally {
    if (!isWon) await release();
  }
  if (isWon) return { release };
  throw new Error(
    `the data folder ${path.resolve(dataDir)} is in use by a running service. Stop that one first, or start this one with another data folder.`,
  );
}

interface Claim {
  readonly name: string;
  hold(): void;
  withdraw(): Promise<void>;
}

/** Null when a holder cleared the claim away before it was published. */
async function publishClaim(folder: SocketFolder): Promise<Claim | null> {
  const name = `lock-${randomBytes(8).toString('hex')}`;
  const asking = new Set<net.Socket>();
  let said = CLAIMED;
  const server = net.createServer((socket) => {
    asking.add(socket);
    socket.on('error', () => {}).once('close', () => asking.delete(socket));
    socket.unref().resume().write(said);
  });
  await once(server.listen({ path: folder.at(`${name}.new`), exclusive: true }), 'listening');
  server.unref();
  const claim = {
    name,
    hold: () => {
      said = HELD;
      for (const socket of asking) socket.write(HELD);
    },
    withdraw: async () => {
      if (!server.listening) return;
      rmSync(folder.at(name), { force: true });
      const closed = once(server, 'close');
      server.close();
      for (const socket of asking) socket.destroy();
      await closed;
    },
  };
  try {
    renameSync(folder.at(`${name}.new`), folder.at(name));
    return claim;
  } catch (error) {
    await claim.withdraw();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** True when the claim holds the folder now; false when another does, or is about to. */
async function wins(folder: SocketFolder, claim: Claim): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const names = readdirSync(folder.at(''));
    const rivals = names.filter((name) => PUBLISHED.test(name) && name !== claim.name);
    const answers = await Promise.all(rivals.map((name) => settle(folder, name, name > claim.name)));
    for (const [index, name] of rivals.entries()) {
      if (answers[index] === 'dead') rmSync(folder.at(name), { force: true });
    }
    if (answers.includes('held') || answers.includes('claimed')) return false;
    // One that went may have been replaced meanwhile: only a look that finds nobody alive counts.
    if (answers.includes('gone')) continue;
    claim.hold();
    for (const name of names) if (DRAFT.test(name)) rmSync(folder.at(name), { force: true });
    return true;
  }
  return false;
}

/** `gone`: it hung up, which who withdraws does, and who has no room for another connection. */
type Standing = 'held' | 'claimed' | 'gone' | 'dead';

/**
 * What stands behind a name. `isPatient`: of two that claim at once the one with the smaller name goes on, so that it
 * waits until the other has withdrawn or turns out to hold the folder.
 */
function settle(folder: SocketFolder, name: string, isPatient: boolean): Promise<Standing> {
  return new Promise((resolve) => {
    const socket = net.connect({ path: folder.at(name) });
    const timer = setTimeout(() => finish('held'), ANSWER_LIMIT_MS);
    const finish = (standing: Standing): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(standing);
    };
    socket.on('data', (bytes: Buffer) => {
      if (bytes.includes(HELD)) finish('held');
      else if (!isPatient) finish('claimed');
    });
    socket.on('end', () => finish('gone'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') finish('dead');
      else finish(code === 'ENOENT' || code === 'ECONNRESET' || code === 'EPIPE' ? 'gone' : 'held');
    });
  });
}
