import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from '#jest';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { sendError } from './errors.ts';

/** Levels of the log lines written for an answer with this error; `isGone`: the client has disconnected. */
function linesOf(error: Error, isGone: boolean): string[] {
  const lines: string[] = [];
  const logger = { warn: () => lines.push('warn'), error: () => lines.push('error') } as unknown as Logger;
  const raw = { socket: { destroyed: isGone } };
  const request = {
    raw,
    id: 'a',
    headers: {},
    routeOptions: { url: '/audits' },
  } as unknown as FastifyRequest;
  const reply: Record<string, unknown> = {};
  for (const name of ['code', 'headers', 'header', 'send']) reply[name] = () => reply;
  sendError(request, reply as unknown as FastifyReply, error, logger);
  return lines;
}

describe('the log', () => {
  test('reports an unreachable dependency', () => {
    expect(linesOf(new Refusal('UNAVAILABLE'), false)).toEqual(['warn']);
  });

  test('omits hundreds of requests that their clients gave up', () => {
    expect(linesOf(new Refusal('UNAVAILABLE'), true)).toEqual([]);
  });

  test('reports every internal error, even after the client has left', () => {
    expect(linesOf(new Error('a fault'), true)).toEqual(['error']);
  });
});
