import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { reasonOf } from '#platform/outgoing/outgoing-fetch.ts';
import { outgoingRequest } from '#platform/outgoing/outgoing-request.ts';
import type { OutgoingProxies } from '#platform/outgoing/proxies.ts';
import type { ExportManifest } from '#schemas/api/export.ts';
import type { Endpoint } from '#schemas/api/openapi/request.ts';
import { exportSignals, getExportManifest } from '#schemas/endpoints.ts';
import { RequestFailed, refusalText } from '../command/client.ts';
import { fileFault } from '../command/file-fault.ts';

export interface FetchedFile {
  readonly path: string;
  readonly bytes: number;
  /** The service's digest, which the file matched. */
  readonly contentDigest: string;
  readonly rows: number;
  readonly asOf: string;
  readonly treeSize: string;
}

/** Where an export is fetched from. */
export interface ExportSource {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxies: OutgoingProxies;
}

/** Where the bytes go; chosen once the service has named the file. */
interface FetchOptions extends ExportSource {
  /** Format and filters, as in a URL. */
  readonly query: string;
  /** Null: the service's file name, in the current folder. */
  readonly path: string | null;
  /** Called with each chunk of the file. */
  readonly onBytes: (bytes: Buffer) => void;
}

type Answer = Awaited<ReturnType<typeof outgoingRequest>>;
type Reported = Omit<FetchedFile, 'path' | 'bytes'>;

/**
 * Fetches an export into `<path>.part`, which is renamed once its digest matches the service's trailers, or its
 * manifest if a proxy dropped the trailers. Otherwise no file is left and `RequestFailed` is thrown.
 */
export async function fetchFile({ path, onBytes, query, ...source }: FetchOptions): Promise<FetchedFile> {
  const response = await answerTo(source, exportSignals, query);
  if (response.statusCode !== 200) throw await refusal(response);
  const target = path ?? nameOf(response);
  const part = `${target}.part`;
  const file = await open(part, 'w', 0o600).catch((error: Error) => {
    response.body.on('error', () => undefined).destroy();
    throw failed(`Cannot write ${part}: ${fileFault(error)}`);
  });
  try {
    const { bytes, contentDigest } = await store(response.body, file, onBytes);
    const said = trailersOf(response) ?? (await manifestOf(source, query, response));
    if (said.contentDigest !== contentDigest) {
      throw failed('The download does not match the digest of the export and was discarded. Export again');
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

async function answerTo(
  { baseUrl, headers, proxies }: ExportSource,
  endpoint: Endpoint,
  query: string,
): Promise<Answer> {
  const url = `${baseUrl}${endpoint.path}?${query}`;
  try {
    return await outgoingRequest(proxies, url, headers);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(
      `No service answers at ${new URL(url).origin} (${code ?? reasonOf(error)}). Start it with "cas start", or correct its address: --url, or HOST and PORT`,
    );
  }
}

async function refusal({ statusCode, body }: Answer): Promise<RequestFailed> {
  const { code, message } = parsed(await body.text());
  const said = refusalText(message ?? STATUS_CODES[statusCode] ?? 'Refused', statusCode, code);
  return new RequestFailed(said, statusCode, code ?? null);
}

function parsed(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return JSON.parse(text) as { code?: string; message?: string };
  } catch {
    return {};
  }
}

/** The file name without anything that could lead outside the folder. */
function nameOf({ headers }: Answer): string {
  const name = /filename="([\w.-]+)"/.exec(String(headers['content-disposition'] ?? ''))?.[1];
  if (name === undefined || name.startsWith('.'))
    throw failed('The service gave no file name. Give one with -o');
  return name;
}

async function store(
  response: Readable,
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
    if (response.errored === null) throw failed(`Cannot write the file: ${fileFault(error)}`);
    throw failed(`The export ended early, after ${bytes} bytes, and was discarded. Export again`);
  }
  return { bytes, contentDigest: `sha-256=:${hash.digest('base64')}:` };
}

/** Null: a proxy dropped them. */
function trailersOf({ trailers }: Answer): Reported | null {
  const [contentDigest, rows, asOf, treeSize] = [
    trailers['content-digest'],
    trailers['x-row-count'],
    trailers['x-as-of'],
    trailers['x-tree-size'],
  ];
  if (contentDigest === undefined || rows === undefined || asOf === undefined || treeSize === undefined)
    return null;
  return { contentDigest, rows: Number(rows), asOf, treeSize };
}

/** Requests the manifest of the same rows: the service makes the file again and sends only its digest. */
async function manifestOf(source: ExportSource, query: string, { headers }: Answer): Promise<Reported> {
  const [asOf, treeSize] = [headers['x-as-of'], headers['x-tree-size']];
  if (typeof asOf !== 'string' || typeof treeSize !== 'string')
    throw failed(
      'The export cannot be checked: its trailers and the headers x-as-of and x-tree-size are missing. A proxy may have removed them',
    );
  const same = new URLSearchParams(query);
  same.set('asOf', asOf);
  same.set('treeSize', treeSize);
  const response = await answerTo(source, getExportManifest, same.toString());
  if (response.statusCode !== 200) throw await refusal(response);
  const manifest = (await response.body.json()) as ExportManifest;
  return { contentDigest: manifest.contentDigest, rows: manifest.rowCount, asOf, treeSize };
}
