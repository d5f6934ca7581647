import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from '#jest';
import { closeConnectionsWithAnswers } from './closing-connections.ts';

let app: FastifyInstance;
let agent: Agent;
let url: string;
/** Completes the answer of /held. */
let answer: (text: string) => void;
let stream: PassThrough;
let reached: Promise<void>;
let closing: Promise<void>;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true });
  app = Fastify({ keepAliveTimeout: 600_000 });
  closeConnectionsWithAnswers(app);
  closing = new Promise((resolve) => {
    app.addHook('preClose', (done) => {
      resolve();
      done();
    });
  });
  stream = new PassThrough();
  reached = new Promise((resolve) => {
    app.get('/held', () => {
      resolve();
      return new Promise<string>((end) => {
        answer = end;
      });
    });
  });
  app.get('/stream', (_request, reply) => reply.send(stream));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => agent.destroy());

const asked = async (path: string): Promise<IncomingMessage> => {
  const [response] = await once(get(`${url}${path}`, { agent }), 'response');
  return response as IncomingMessage;
};

test('a request in progress is answered, and its connection does not delay the server’s close', async () => {
  const response = asked('/held');
  await reached;
  const closed = app.close();
  await closing;
  answer('done');
  expect((await response).statusCode).toBe(200);
  expect((await response).headers.connection).toBe('close');
  (await response).resume();
  await closed;
});

test('an answer that has started does not delay the server’s close', async () => {
  const response = asked('/stream');
  stream.write('some');
  (await response).resume();
  const closed = app.close();
  await closing;
  stream.end('and the rest');
  await once(await response, 'end');
  await closed;
});

test('connections stay open before the server closes', async () => {
  const response = asked('/held');
  await reached;
  answer('done');
  expect((await response).headers.connection).toBe('keep-alive');
  (await response).resume();
  await once(await response, 'end');
  await app.close();
});
