import net from 'node:net';

export interface OneAnswer {
  /** Status, or the name of what went wrong. */
  readonly outcome: string;
  /** ms of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

const GIVE_UP_MS = 60_000;
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n');

/** Sends bytes over a connection of its own, from this address, and waits for the whole answer. */
export function sendOne(url: string, localAddress: string, bytes: Buffer): Promise<OneAnswer> {
  const { hostname, port } = new URL(url);
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let fault = 'CLOSED';
    let outcome: string | null = null;
    const socket = net.connect({ host: hostname, port: Number(port), localAddress });
    const limit = setTimeout(() => socket.destroy(new Error('NO ANSWER')), GIVE_UP_MS);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      outcome = wholeAnswer(chunks);
      if (outcome !== null) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault = error.code ?? error.message;
    });
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(limit);
      resolve({ outcome: outcome ?? fault, sentAt, endedAt: performance.now() });
    });
    socket.write(bytes);
  });
}

/** The status, once the answer is complete. */
function wholeAnswer(chunks: Buffer[]): string | null {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  chunks.splice(0, chunks.length, bytes);
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const status = head.slice(9, 12);
  if (length !== undefined) return bytes.length >= headEnd + HEAD_END.length + Number(length) ? status : null;
  const isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
  const ends =
    bytes.subarray(-HEAD_END.length).equals(HEAD_END) && bytes.lastIndexOf(LAST_CHUNK) > headEnd - 1;
  return isChunked && ends ? status : null;
}
