import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from '#jest';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { sendError } from './errors.ts';

/** Levels of the log lines that an answer with this error writes; `isGone`: the client has disconnected. */
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
  test('tells that a part could not be reached', () => {
    expect(linesOf(new Refusal('UNAVAILABLE'), false)).toEqual(['warn']);
  });

  test('tells nothing of what its client gave up, by the hundred', () => {
    expect(linesOf(new Refusal('UNAVAILABLE'), true)).toEqual([]);
  });

  test('tells every fault of the program, whoever is still there', () => {
    expect(linesOf(new Error('a fault'), true)).toEqual(['error']);
  });
});
