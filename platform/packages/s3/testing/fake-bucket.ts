import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request instead of its response. */
export type Trouble =
  /** The connection breaks. */
  | 'break'
  /** The request takes effect, and the connection breaks before the response. */
  | 'lose-answer'
  /** No response, ever. */
  | 'hang'
  /** The response starts, and nothing more arrives. */
  | 'stall'
  /** The response starts, and the connection breaks. */
  | 'break-body'
  /** A response with this status and code. */
  | readonly [status: number, code: string];

export interface FakeBucket {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Keys of incomplete uploads, by upload id. */
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>;
  /** Method and path of every request. */
  readonly asked: string[];
  /** Whether the bucket keeps versions. */
  versioning: string;
  /** A page returned for every listing of objects; null: the actual listing. */
  page: string | null;
  /** Called for each request: what happens to it. */
  trouble(request: {
    readonly method: string;
    readonly key: string;
    readonly query: URLSearchParams;
  }): Trouble | null;
  close(): Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly range: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

const failure = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>as a test wants it</Message></Error>`,
});

/**
 * As much of an S3 server as the adapter needs, in memory; it accepts every signature. For faults that a real server
 * does not produce on demand.
 */
export async function startFakeBucket(): Promise<FakeBucket> {
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => request.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
    const { method = 'GET' } = request;
    fake.asked.push(`${method} ${request.url}`);
    const trouble = fake.trouble({ method, key, query: url.searchParams });
    if (trouble === 'break') return void request.destroy();
    const body = await buffer(request);
    if (trouble === 'hang') return;
    const asked = { method, key, query: url.searchParams, body, range: request.headers.range };
    const isAnswer = typeof trouble === 'object' && trouble !== null;
    const answer = isAnswer ? failure(...trouble) : answerTo(fake, asked);
    if (trouble === 'lose-answer') return void request.destroy();
    send(response, answer, method, trouble);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeBucket = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    uploads: new Map(),
    asked: [],
    versioning: '',
    page: null,
    trouble: () => null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

function send(response: ServerResponse, answer: Answer, method: string, trouble: Trouble | null): void {
  const bytes = Buffer.from(answer.body ?? '');
  response.writeHead(answer.status, { 'content-length': bytes.length, ...answer.headers });
  if (trouble !== 'stall' && trouble !== 'break-body') {
    response.end(method === 'HEAD' ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (trouble === 'break-body') response.destroy();
  });
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

function answerTo(fake: FakeBucket, asked: Asked): Answer {
  const { method, key, query } = asked;
  if (key === '') return bucketAnswer(fake, asked);
  if (query.has('uploads') || query.has('uploadId')) return uploadAnswer(fake, asked);
  const stored = fake.objects.get(key);
  if (method === 'PUT') {
    fake.objects.set(key, asked.body);
    return { status: 200, headers: { etag: etagOf(asked.body) } };
  }
  if (method === 'DELETE') {
    fake.objects.delete(key);
    return { status: 204 };
  }
  if (stored === undefined) return failure(404, 'NoSuchKey');
  const etag = etagOf(stored);
  if (method === 'HEAD') return { status: 200, headers: { etag, 'content-length': String(stored.length) } };
  const from = Number(/^bytes=(\d+)-$/.exec(asked.range ?? '')?.[1] ?? 0);
  return { status: 206, headers: { etag }, body: stored.subarray(from) };
}

function bucketAnswer(
  { objects, uploads, versioning, page: fixed }: FakeBucket,
  { method, query }: Asked,
): Answer {
  if (method === 'HEAD') return { status: 200 };
  if (query.has('versioning'))
    return { status: 200, body: `<VersioningConfiguration>${versioning}</VersioningConfiguration>` };
  const prefix = query.get('prefix') ?? '';
  if (query.has('uploads')) {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
    const shown = found.map(
      ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return {
      status: 200,
      body: `<ListMultipartUploadsResult>${shown.join('')}</ListMultipartUploadsResult>`,
    };
  }
  if (fixed !== null) return { status: 200, body: fixed };
  // Two per page.
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, 2);
  const next =
    keys.length > 2
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page[1]}</NextContinuationToken>`
      : '';
  const shown = page.map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return { status: 200, body: `<ListBucketResult>${next}${shown.join('')}</ListBucketResult>` };
}

function uploadAnswer({ uploads, objects }: FakeBucket, { method, key, query, body }: Asked): Answer {
  if (query.has('uploads')) {
    const id = `upload-${uploads.size + 1}-${key.length}`;
    uploads.set(id, { key, parts: new Map() });
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }
  const id = query.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (upload === undefined) return failure(404, 'NoSuchUpload');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  uploads.delete(id);
  if (method === 'DELETE') return { status: 204 };
  const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
  objects.set(key, Buffer.concat(parts));
  return {
    status: 200,
    body: '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>',
  };
}
