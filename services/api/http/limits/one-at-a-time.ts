import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Maximum pipelined requests waiting on a connection. Most clients never send a second one before the answer. */
export const MAX_WAITING = 32;

interface Line {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Pipelined requests of a connection are handled one after the other, in the order of their answers. The runtime emits
 * every request contained in one read, up to two thousand: started together they would block the event loop for a tenth
 * of a second per connection. A connection with too many waiting requests is closed.
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
    if (line.isBusy && waiting.length >= MAX_WAITING) {
      hangUp(socket);
      return;
    }
    reply.raw.once('close', () => {
      // Let others run first: a request that needs no I/O is answered at once, and so is every one after it.
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
  // No client is left to receive the waiting requests' answers.
  if (socket.destroyed) line.waiting.length = 0;
  const next = line.waiting.shift();
  if (next === undefined) line.isBusy = false;
  else next();
}

/**
 * Closes connections that exceed the number of waiting requests in one read. As `rewriteUrl` it runs before the
 * framework parses an address: one that it cannot parse is answered without any hook.
 */
export function closeFloods(): (request: IncomingMessage) => string {
  const counts = new WeakMap<Socket, number>();
  return ({ socket, url = '/' }) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    if (count === 1) setImmediate(() => counts.delete(socket));
    if (count > MAX_WAITING + 1) hangUp(socket);
    return url;
  };
}

/** The runtime's HTTP parser of a connection; it has no public name. */
interface WithParser {
  readonly parser?: { onIncoming?: (() => number) | null } | null;
}

const REFUSED_BY_CALLBACK = -1;

/**
 * Closes the connection at once. The parser still holds what was read and would continue to emit requests, so the next
 * one is reported to it as an error. A runtime without this parser property also closes the connection, only later.
 */
function hangUp(socket: Socket): void {
  const { parser } = socket as Socket & WithParser;
  if (parser) parser.onIncoming = () => REFUSED_BY_CALLBACK;
  socket.destroy();
}
