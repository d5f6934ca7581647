import { existsSync } from 'node:fs';
import { localUrl } from '#platform/config/host-in-url.ts';
import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { outgoingFetch, reasonOf } from '#platform/outgoing/outgoing-fetch.ts';
import { NO_PROXIES, type OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { readKeyFile } from '#platform/sealing/key-file.ts';
import { type AnyRequest, type Endpoint, type Sent, targetOf } from '#schemas/api/openapi/request.ts';

/** The service answered with an error, or not at all. The message is meant for people. */
export class RequestFailed extends Error {
  readonly statusCode: number | null;
  readonly code: string | null;
  readonly retryAfterSeconds: number | null;
  constructor(
    message: string,
    statusCode: number | null,
    code: string | null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = 'RequestFailed';
    this.statusCode = statusCode;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Answer {
  readonly statusCode: number;
  // The command line prints answers and reads a few fields; their shapes are checked by the service's own tests.
  readonly body: Record<string, never> & { [field: string]: unknown };
}

type SendRequest = (
  method: string,
  target: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly baseUrl: string;
  /** Calls an operation by its contract. Rejects with `RequestFailed`. */
  call<E extends Endpoint>(endpoint: E, ...sent: Sent<E, Extras>): Promise<Answer>;
  /** Sends any request, whatever the contracts say. */
  readonly request: SendRequest;
}

/** A client that calls operations through `request`. */
export const clientOver = (baseUrl: string, request: SendRequest): Client => ({
  baseUrl,
  request,
  call: (endpoint: Endpoint, { params, query, body, headers }: AnyRequest & Extras = {}) =>
    request(endpoint.method, targetOf(endpoint, { params, query }), body, headers),
});

const SECRET_HEADER = 'x-internal-secret';

/** Unknown paths and unknown ids get the same answer, so this is said for both. */
const NOT_SERVED =
  '. Either there is nothing under this id, or the service has /internal on another port: set ADMIN_PORT as it is set there';
const WRONG_SECRET =
  '. The running service has another secret: use its DATA_DIR, set its INTERNAL_SECRET, or stop it or choose another PORT';

/** HTTP client of a running service; `headers` go with every request, through the proxy that the address has. */
export function createClient(
  baseUrl: string,
  headers: Record<string, string> = {},
  proxies: OutgoingProxies = NO_PROXIES,
): Client {
  const send = outgoingFetch(proxies);
  return clientOver(baseUrl, async (method, target, body, extra) => {
    const response = await send(baseUrl + target, {
      method,
      headers: {
        ...headers,
        ...extra,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new RequestFailed(
        `no service answers at ${baseUrl} (${reasonOf(error)}); start it with "npm start", or set HOST and PORT (ADMIN_HOST and ADMIN_PORT for /internal)`,
        null,
        null,
      );
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Answer['body']);
    if (response.ok) return { statusCode: response.status, body: parsed };
    const retryAfter = response.headers.get('retry-after');
    const hint = hintOf(headers, parsed.code);
    throw new RequestFailed(
      `${response.status} ${String(parsed.code ?? '')}: ${String(parsed.message ?? response.statusText)}${hint}`,
      response.status,
      typeof parsed.code === 'string' ? parsed.code : null,
      retryAfter === null ? null : Number(retryAfter),
    );
  });
}

function hintOf(headers: Readonly<Record<string, string>>, code: unknown): string {
  if (code === 'INVALID_INTERNAL_SECRET') return WRONG_SECRET;
  return code === 'NOT_FOUND' && SECRET_HEADER in headers ? NOT_SERVED : '';
}

/** Address of the service that the settings describe. */
export const serviceUrl = ({ host, port, basePath }: Settings): string => localUrl(host, port) + basePath;

/** Address of its /internal, /metrics and /health/ready. */
export const adminUrl = (settings: Settings): string =>
  settings.adminPort === null ? serviceUrl(settings) : localUrl(settings.adminHost, settings.adminPort);

const NO_SECRET = "Run this with the service's DATA_DIR, or set INTERNAL_SECRET";

/** Client for the /internal paths: the secret from the settings, else from the data folder. */
export function internalClient(settings: Settings, baseUrl = adminUrl(settings)): Client {
  const file = dataFolder(settings.dataDir).internalSecret;
  const secret =
    settings.internalSecrets?.[0] ??
    (existsSync(file) ? readKeyFile(file, 'INTERNAL_SECRET', NO_SECRET).toString('utf8').trim() : null);
  if (secret === null)
    throw new RequestFailed(`no internal secret: ${file} does not exist. ${NO_SECRET}`, null, null);
  return createClient(baseUrl, { [SECRET_HEADER]: secret }, settings.proxies);
}
