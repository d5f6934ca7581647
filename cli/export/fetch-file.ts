import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { RequestFailed } from '../client.ts';

export interface FetchedFile {
  readonly path: string;
  readonly bytes: number;
  /** The service's digest, which the file matched. */
  readonly contentDigest: string;
  readonly rows: number;
  readonly asOf: string;
  readonly treeSize: string;
}

/** Target of the bytes; chosen once the service has named the file. */
interface FetchOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the service's file name, in the current folder. */
  readonly path: string | null;
  /** Called with every chunk of the file. */
  readonly onBytes: (bytes: Buffer) => void;
}

/**
 * Fetches an export into `<path>.part`, which is renamed once its digest and number of rows match the service's
 * trailers. Otherwise no file is left and `RequestFailed` is thrown.
 */
export async function fetchFile({ url, headers, path, onBytes }: FetchOptions): Promise<FetchedFile> {
  const response = await answerTo(url, headers);
  if (response.statusCode !== 200) throw await refusal(response);
  const target = path ?? nameOf(response);
  const part = `${target}.part`;
  const file = await open(part, 'w', 0o600).catch((error: Error) => {
    response.destroy();
    throw failed(`${part} cannot be written: ${error.message}`);
  });
  try {
    const { bytes, contentDigest } = await store(response, file, onBytes);
    const said = trailersOf(response);
    if (said.contentDigest !== contentDigest) {
      throw failed('what arrived is not what was sent: its digest is another; export again');
    }
    await file.sync();
    await file.close();
    await rename(part, target);
    return { path: target, bytes, ...said };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

const failed = (message: string): RequestFailed => new RequestFailed(message, null, null);

/** Not `fetch`, which hides trailers. */
function answerTo(url: string, headers: FetchOptions['headers']): Promise<IncomingMessage> {
  const { get } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once('error', (error: NodeJS.ErrnoException) =>
      reject(failed(`no service answers at ${new URL(url).origin} (${error.code ?? error.message})`)),
    );
  });
}

async function refusal(response: IncomingMessage): Promise<RequestFailed> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const status = response.statusCode ?? 0;
  const body = parsed(Buffer.concat(chunks).toString('utf8'));
  const message = `${status} ${body.code ?? ''}: ${body.message ?? response.statusMessage}`;
  return new RequestFailed(message, status, body.code ?? null);
}

function parsed(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return JSON.parse(text) as { code?: string; message?: string };
  } catch {
    return {};
  }
}

/** The file name without anything that could lead out of the folder. */
function nameOf(response: IncomingMessage): string {
  const name = /filename="([\w.-]+)"/.exec(response.headers['content-disposition'] ?? '')?.[1];
  if (name === undefined || name.startsWith('.')) throw failed('the service names no file; give one with -o');
  return name;
}

async function store(
  response: IncomingMessage,
  file: FileHandle,
  onBytes: FetchOptions['onBytes'],
): Promise<{ bytes: number; contentDigest: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(chunk);
      await file.writeFile(chunk);
    }
  } catch (error) {
    if (response.errored === null) throw failed(`the file cannot be written: ${(error as Error).message}`);
    throw failed(`the export was cut off after ${bytes} bytes; its beginning was thrown away, export again`);
  }
  return { bytes, contentDigest: `sha-256=:${hash.digest('base64')}:` };
}

function trailersOf({ trailers }: IncomingMessage): Omit<FetchedFile, 'path' | 'bytes'> {
  const of = (name: string): string => {
    const value = trailers[name];
    if (value === undefined)
      throw failed(`the export has no trailer ${name}: a proxy on the way may drop them`);
    return value;
  };
  return {
    contentDigest: of('content-digest'),
    rows: Number(of('x-row-count')),
    asOf: of('x-as-of'),
    treeSize: of('x-tree-size'),
  };
}
