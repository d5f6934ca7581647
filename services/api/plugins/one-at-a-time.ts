import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that may wait behind one another on a connection. Most clients never send a second one before the answer. */
export const MOST_WAITING = 32;

interface Line {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Requests that were sent behind one another on a connection are worked on one after the other, as they are answered. The
 * runtime hands out all that it finds in what it read, which may be two thousand: begun together they would hold up the
 * event loop for a tenth of a second, and each connection again. A connection with more of them than may wait is closed.
 */
export function workOneAtATime(app: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    let line = lines.get(socket);
    if (line === undefined) {
      line = { isBusy: false, waiting: [] };
      lines.set(socket, line);
    }
    const { waiting } = line;
    if (line.isBusy && waiting.length >= MOST_WAITING) {
      hangUp(socket);
      return;
    }
    reply.raw.once('close', () => {
      // Others have a turn before it: an answer that needs nobody is there at once, and the next one, and the next.
      if (waiting.length > 0) setImmediate(beginNext, socket, line);
      else line.isBusy = false;
    });
    if (line.isBusy) waiting.push(done);
    else {
      line.isBusy = true;
      done();
    }
  });
}

function beginNext(socket: Socket, line: Line): void {
  // Nobody would hear the answers to what waits.
  if (socket.destroyed) line.waiting.length = 0;
  const next = line.waiting.shift();
  if (next === undefined) line.isBusy = false;
  else next();
}

/**
 * Closes connections with more requests in one read than may wait. As `rewriteUrl` it is asked before the framework reads an
 * address: one that it cannot read is answered past all hooks.
 */
export function closeFloods(): (request: IncomingMessage) => string {
  const begun = new WeakMap<Socket, number>();
  return ({ socket, url = '/' }) => {
    const count = (begun.get(socket) ?? 0) + 1;
    begun.set(socket, count);
    if (count === 1) setImmediate(() => begun.delete(socket));
    if (count > MOST_WAITING + 1) hangUp(socket);
    return url;
  };
}

/** What the runtime has on a connection to read requests with; it has no name in public. */
interface WithParser {
  readonly parser?: { onIncoming?: (() => number) | null } | null;
}

const REFUSED_BY_CALLBACK = -1;

/**
 * Closes the connection at once. What was read of it lies with the parser, which would go on making requests of it: so it is
 * told that the next one is an error. A runtime that hears nothing of this closes as well, only later.
 */
function hangUp(socket: Socket): void {
  const { parser } = socket as Socket & WithParser;
  if (parser) parser.onIncoming = () => REFUSED_BY_CALLBACK;
  socket.destroy();
}
