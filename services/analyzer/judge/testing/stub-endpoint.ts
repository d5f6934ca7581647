import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the endpoint received it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A prompt as a model reads it. */
export interface ReadPrompt {
  /** Rules by label, including the check's two. */
  readonly rules: ReadonlyMap<string, string>;
  /** Texts by source, without the check's text. */
  readonly texts: ReadonlyMap<string, string>;
  /** Label of the rule that a model always has to report. */
  readonly applies: string;
}

export interface StubEndpoint {
  /** For JUDGE_URL. */
  readonly url: string;
  readonly received: Received[];
  /** What it does from now on. */
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

export type Behaviour = (request: Received, response: ServerResponse) => void;

/** A loopback server that answers, or does not, as the test wants. */
export async function startStub(how: Behaviour): Promise<StubEndpoint> {
  let behaviour = how;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      behaviour(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(code, headers).end('{"error":{"message":"an error text of the endpoint"}}');
  };

/** Takes the request and never answers. */
export const silent: Behaviour = () => undefined;

/** Answers with this as the model's output. */
export const says =
  (write: (prompt: ReadPrompt) => string, message: Record<string, unknown> = {}): Behaviour =>
  ({ body }, response) => {
    const content = write(readPrompt(body));
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...message } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [choice] }));
  };

export interface StubHit {
  /** Part of the rule's text. */
  readonly rule: string;
  readonly source: string;
  readonly confidence: number;
}

/** A model that passes the check and reports those of these hits whose rules it is asked about. */
export const reports = (...hits: readonly StubHit[]): Behaviour =>
  says(({ rules, applies, texts }) => {
    const found = hits.flatMap(({ rule, source, confidence }) =>
      [...rules].flatMap(([label, text]) =>
        text.includes(rule) && texts.has(source) ? [{ rule: label, source, confidence }] : [],
      ),
    );
    return JSON.stringify({ hits: [{ rule: applies, source: 'check', confidence: 1 }, ...found] });
  });

/** Reads a prompt as the model is instructed to. */
export function readPrompt(body: string): ReadPrompt {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  const content = messages[1]!.content;
  const rules = new Map(
    [...content.matchAll(/^(R[0-9a-f]{6}): (".*")$/gm)].map(([, label, rule]) => [
      label!,
      JSON.parse(rule!) as string,
    ]),
  );
  const texts = new Map(
    [...content.matchAll(/^<<< ([0-9a-f]{32}) source "(\w+)"\n([\s\S]*?)\n>>> \1$/gm)].map(
      ([, , source, text]) => [source!, text!],
    ),
  );
  const word = texts.get('check')!.slice('Code word: '.length);
  texts.delete('check');
  const applies = [...rules].find(([, rule]) => rule.includes(`code word ${word}`))![0];
  return { rules, texts, applies };
}
