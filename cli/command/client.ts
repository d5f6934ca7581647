import { existsSync } from 'node:fs';
import { localUrl } from '#platform/config/host-in-url.ts';
import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { outgoingFetch, reasonOf } from '#platform/outgoing/outgoing-fetch.ts';
import { NO_PROXIES, type OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { readKeyFile } from '#platform/sealing/key-file.ts';
import { type AnyRequest, type Endpoint, type Sent, targetOf } from '#schemas/api/openapi/request.ts';

/**
 * The service returned an error or did not answer, or the request could not be sent. The message is meant for people.
 */
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
  // The command line prints responses and reads a few fields; the service's own tests check their shapes.
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
  /** Sends any request, regardless of the contracts. */
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

/** Unknown paths and unknown ids get the same response, so this is added for both. */
const NOT_SERVED = '. If the service sets ADMIN_PORT, set the same value here';
const WRONG_SECRET =
  '. The service has another secret: use its DATA_DIR or its INTERNAL_SECRET, or set PORT to the service you mean';

/** HTTP client of a running service, through the proxy for its address; `headers` are sent with every request. */
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
        `No service answers at ${baseUrl} (${reasonOf(error)}). Start it with "cas start", or correct its address: ${addressOf(headers)}`,
        null,
        null,
      );
    });
    const parsed = parse(await response.text());
    if (parsed === null)
      throw new RequestFailed(
        `${baseUrl} is not this service (status ${response.status})`,
        response.status,
        null,
      );
    if (response.ok) return { statusCode: response.status, body: parsed };
    const retryAfter = response.headers.get('retry-after');
    const hint = hintOf(headers, parsed.code);
    const message = String(parsed.message ?? response.statusText);
    throw new RequestFailed(
      `${refusalText(message, response.status, parsed.code)}${hint}`,
      response.status,
      typeof parsed.code === 'string' ? parsed.code : null,
      retryAfter === null ? null : Number(retryAfter),
    );
  });
}

/** "Invalid API key (401 INVALID_KEY)": the sentence for people, then the codes that programs and support use. */
export function refusalText(message: string, statusCode: number, code: unknown): string {
  const known = typeof code === 'string' ? `${statusCode} ${code}` : String(statusCode);
  return `${message.replace(/\.$/, '')} (${known})`;
}

/** Null when the response is not the service's, but for example a proxy's. */
function parse(text: string): Answer['body'] | null {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const addressOf = (headers: Readonly<Record<string, string>>): string =>
  SECRET_HEADER in headers ? 'HOST and PORT, or ADMIN_HOST and ADMIN_PORT' : '--url, or HOST and PORT';

function hintOf(headers: Readonly<Record<string, string>>, code: unknown): string {
  if (code === 'INVALID_INTERNAL_SECRET') return WRONG_SECRET;
  return code === 'NOT_FOUND' && SECRET_HEADER in headers ? NOT_SERVED : '';
}

/** Address of the service according to the settings. */
export const serviceUrl = ({ host, port, basePath }: Settings): string => localUrl(host, port) + basePath;

/** Address of its /internal, /metrics and /health/ready. */
export const adminUrl = (settings: Settings): string =>
  settings.adminPort === null ? serviceUrl(settings) : localUrl(settings.adminHost, settings.adminPort);

const NO_SECRET = "Set DATA_DIR to the service's data folder, or set INTERNAL_SECRET";

/** Client for the /internal paths: the secret is from the settings, else from the data folder. */
export function internalClient(settings: Settings, baseUrl = adminUrl(settings)): Client {
  const file = dataFolder(settings.dataDir).internalSecret;
  const secret =
    settings.internalSecrets?.[0] ??
    (existsSync(file) ? readKeyFile(file, 'INTERNAL_SECRET', NO_SECRET).toString('utf8').trim() : null);
  if (secret === null)
    throw new RequestFailed(`No internal secret: ${file} does not exist. ${NO_SECRET}`, null, null);
  return createClient(baseUrl, { [SECRET_HEADER]: secret }, settings.proxies);
}
