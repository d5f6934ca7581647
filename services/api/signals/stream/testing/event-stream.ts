import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** An event as seen by a client of server-sent events. */
export interface SeenEvent {
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is for the tests to say
  readonly data: any;
}

export interface OpenedStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All events received. */
  readonly events: SeenEvent[];
  comments: number;
  /** The answer has ended, or the connection is gone. */
  isEnded: boolean;
  /** The answer ended normally and was not broken off. */
  isWhole: boolean;
  /** The body of an answer that is not a stream. */
  readonly body: string;
  /** Resolves to the first matching event, or rejects if the stream ends before. */
  until(isMeant: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  ended(): Promise<void>;
  /** Stops reading, and leaves the connection open. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a stream of server-sent events over a socket. Resolves with the answer's headers. */
export function openStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedStream> {
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, { headers, agent: false }, (answer) => {
      resolve(streamOf(sent, answer));
    });
    sent.once('error', reject);
    sent.end();
  });
}

function streamOf(sent: ClientRequest, answer: IncomingMessage): OpenedStream {
  const events: SeenEvent[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  const notifyAll = (): void => {
    for (const notify of waiting) notify();
  };
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      const notify = (): void => {
        waiting.delete(notify);
        resolve();
      };
      waiting.add(notify);
    });
  const stream: OpenedStream = {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    events,
    comments: 0,
    isEnded: false,
    isWhole: false,
    get body() {
      return rest;
    },
    until: async (isMeant) => {
      let at = 0;
      for (;;) {
        for (; at < events.length; at += 1) if (isMeant(events[at]!)) return events[at]!;
        if (stream.isEnded) throw new Error(`the stream ended after ${events.length} events`);
        await changed();
      }
    },
    ended: async () => {
      while (!stream.isEnded) await changed();
    },
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    close: () => void sent.destroy(),
  };
  const end = (): void => {
    stream.isEnded = true;
    notifyAll();
  };
  sent.on('error', end);
  answer.on('error', end);
  answer.once('close', end);
  answer.once('end', () => {
    stream.isWhole = true;
    end();
  });
  answer.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const event = eventOf(part);
      if (event === null) stream.comments += 1;
      else events.push(event);
    }
    notifyAll();
  });
  return stream;
}

/** Null: a comment, or only the retry delay. */
function eventOf(part: string): SeenEvent | null {
  const fields = new Map(
    part.split('\n').map((line) => {
      const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
      return [name, value] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) };
}
