import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Payload of TCP, without headers and repeats. */
interface Traffic {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** One end of a connection. */
interface Socket extends Traffic {
  readonly pid: number;
  /** Its process and both addresses. */
  readonly id: string;
}

const SAMPLE_MS = 1_000;
const SOCKET = /(\S+:\d+)\s+(\S+:\d+)\s+users:\(\("[^"]*",pid=(\d+),/;

/** What `ss -tniOHp` says of connections whose process it knows. */
export const parseSockets = (lines: string): Socket[] =>
  lines.split('\n').flatMap((line) => {
    const [, local, peer, pid] = SOCKET.exec(line) ?? [];
    if (pid === undefined) return [];
    const counter = (name: string): number => Number(new RegExp(` ${name}:(\\d+)`).exec(line)?.[1] ?? 0);
    const traffic = { receivedBytes: counter('bytes_received'), sentBytes: counter('bytes_acked') };
    return [{ pid: Number(pid), id: `${pid} ${local} ${peer}`, ...traffic }];
  });

/** By process, what its sockets carried since they were in `before`, or since they were opened. */
export function trafficBetween(before: readonly Socket[], after: readonly Socket[]): Map<number, Traffic> {
  const known = new Map(before.map((socket) => [socket.id, socket]));
  const byProcess = new Map<number, Traffic>();
  for (const { id, pid, receivedBytes, sentBytes } of after) {
    const sum = byProcess.get(pid) ?? { receivedBytes: 0, sentBytes: 0 };
    byProcess.set(pid, {
      receivedBytes: sum.receivedBytes + receivedBytes - (known.get(id)?.receivedBytes ?? 0),
      sentBytes: sum.sentBytes + sentBytes - (known.get(id)?.sentBytes ?? 0),
    });
  }
  return byProcess;
}

async function sockets(): Promise<Socket[]> {
  const { stdout } = await promisify(execFile)('ss', ['-tniOHp', 'state', 'established'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return parseSockets(stdout);
}

/**
 * Counts the traffic of all processes of this user until the returned function is called (Linux, `ss` of iproute2). Sockets
 * are looked at once a second: of one that closes, what came after the last look is missing.
 */
export async function watchTraffic(): Promise<() => Promise<Map<number, Traffic>>> {
  const before = await sockets();
  const latest = new Map<string, Socket>();
  const look = async (): Promise<void> => {
    for (const socket of await sockets()) latest.set(socket.id, socket);
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, SAMPLE_MS);
  return async () => {
    clearInterval(timer);
    await looking;
    await look();
    return trafficBetween(before, [...latest.values()]);
  };
}
