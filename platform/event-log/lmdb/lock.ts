import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { refuseOpenFolder } from '#platform/data-folder/private-folder.ts';
import { openSocketFolder, type SocketFolder } from '#platform/data-folder/socket-folder.ts';

interface DataLock {
  release(): Promise<void>;
}

/** A holder's answer to another claimant. */
const HELD = 'h';
const CLAIMED = 'c';

/** A name is published only when its socket listens, so a published socket that refuses connections is dead. */
const PUBLISHED = /^lock-[0-9a-f]{16}$/;
const DRAFT = /^lock-[0-9a-f]{16}\.new$/;
/** Time to wait for an answer: a stopped or busy process still holds its lock. */
const ANSWER_LIMIT_MS = 2_000;
/** After this many scans the claimant is refused; each process that starts at the same time costs at most one. */
const MAX_SCANS = 100;

/**
 * Locks a data folder for this process until `release` or the end of the process, however it ends. Rejects when the
 * folder is missing, open to other users, or already locked by this or another process.
 *
 * A claim is a socket in the folder with a unique name. Each claimant first publishes its own, then checks for others:
 * of two, at least the later one sees the other, so both never hold the folder. The socket of a killed process refuses
 * connections and is removed; names are never reused, so a live socket is never removed by mistake.
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
    // If other users may write to the folder, a lock would be useless.
    refuseOpenFolder(dataDir, folder.stats());
    claim = await publishClaim(folder);
    isWon = claim !== null && (await wins(folder, claim));
  } finally {
    if (!isWon) await release();
  }
  if (isWon) return { release };
  throw new Error(
    `the data folder ${path.resolve(dataDir)} is in use by a running service. Stop it first, or start this one with another data folder.`,
  );
}

interface Claim {
  readonly name: string;
  hold(): void;
  withdraw(): Promise<void>;
}

/** Null when a holder removed the claim before it was published. */
async function publishClaim(folder: SocketFolder): Promise<Claim | null> {
  const name = `lock-${randomBytes(8).toString('hex')}`;
  const asking = new Set<net.Socket>();
  let answer = CLAIMED;
  const server = net.createServer((socket) => {
    asking.add(socket);
    socket.on('error', () => {}).once('close', () => asking.delete(socket));
    socket.unref().resume().write(answer);
  });
  await once(server.listen({ path: folder.at(`${name}.new`), exclusive: true }), 'listening');
  server.unref();
  const claim = {
    name,
    hold: () => {
      answer = HELD;
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

/** True when the claim now holds the folder; false when another does, or is about to. */
async function wins(folder: SocketFolder, claim: Claim): Promise<boolean> {
  for (let scan = 0; scan < MAX_SCANS; scan++) {
    const names = readdirSync(folder.at(''));
    const rivals = names.filter((name) => PUBLISHED.test(name) && name !== claim.name);
    const answers = await Promise.all(rivals.map((name) => settle(folder, name, name > claim.name)));
    for (const [index, name] of rivals.entries()) {
      if (answers[index] === 'dead') rmSync(folder.at(name), { force: true });
    }
    if (answers.includes('held') || answers.includes('claimed')) return false;
    // A withdrawn claim may have been replaced meanwhile: only a scan that finds no live claim counts.
    if (answers.includes('gone')) continue;
    claim.hold();
    for (const name of names) if (DRAFT.test(name)) rmSync(folder.at(name), { force: true });
    return true;
  }
  return false;
}

/** `gone`: the claimant closed the connection, because it withdrew or had no room for another connection. */
type ClaimStatus = 'held' | 'claimed' | 'gone' | 'dead';

/**
 * State of the claim with this name. `isPatient`: of two concurrent claims the smaller name wins, so it waits until the
 * other has withdrawn or is known to hold the folder.
 */
function settle(folder: SocketFolder, name: string, isPatient: boolean): Promise<ClaimStatus> {
  return new Promise((resolve) => {
    const socket = net.connect({ path: folder.at(name) });
    const timer = setTimeout(() => finish('held'), ANSWER_LIMIT_MS);
    const finish = (status: ClaimStatus): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
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
