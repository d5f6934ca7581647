import { RegistryUnavailable } from './port.ts';
import { type RegistryAnswer, registryCalls } from './registry-calls.ts';

export interface RegistryOptions {
  /** Address up to and without `/subjects`: for Apicurio it ends in /apis/ccompat/v7. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM certificates to trust instead of the public authorities. */
  readonly ca?: string | undefined;
  /** Longest wait for one answer (default 10,000 ms). */
  readonly timeoutMs?: number | undefined;
}

/** A refusal that the caller has to interpret. */
export class RegistryRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'RegistryRefusal';
    this.status = status;
  }
}

/** The calls of a Confluent-compatible registry that this service makes. All reject with `RegistryUnavailable`. */
export interface RegistryClient {
  /** Id of exactly this schema under the subject, or null when it is not registered there. */
  idOf(subject: string, schema: string): Promise<number | null>;
  /** Id of the schema, which is registered first if necessary. Rejects with `RegistryRefusal` (409: incompatible). */
  register(subject: string, schema: string): Promise<number>;
  /** From now on every version under the subject must read every other. */
  requireFullCompatibility(subject: string): Promise<void>;
  /** JSON of the schema behind an id, or null when the id was never assigned. */
  schemaOf(id: number): Promise<string | null>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Status of a request that nobody could read: a proxy on the way to the registry garbled it. */
const GARBLED_STATUS = 400;
const REASON_LIMIT = 400;
const AUTHORISATION_STATUSES = [401, 403];

export function registryClient(options: RegistryOptions): RegistryClient {
  const { host, auth } = addressOf(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const call = registryCalls({ host, auth, ca: options.ca });

  /** One call within the time limit, its answer a JSON object or list. */
  const ask = async <Body>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Body> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await call({ method, path, ...(body === undefined ? {} : { body }) }, signal).catch(
      (error: Error & { code?: string }) => {
        throw signal.aborted
          ? unavailable(host, `did not answer within ${timeoutMs / 1_000} s`)
          : unavailable(
              host,
              `cannot be reached (${error.message || error.code}): check that it runs and SCHEMA_REGISTRY_URL`,
            );
      },
    );
    const value = parsed(answer.text);
    if (answer.status >= 400) throw refusalOf(host, answer, value);
    if (value === null) throw notRegistry(host);
    return value as Body;
  };
  /** Null for a 404 that the registry itself gave; a 404 from anything else means a wrong address. */
  const orNull = async <Value>(call: Promise<Value>): Promise<Value | null> => {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof RegistryRefusal) || error.status !== 404) throw error;
      await ask('GET', '/subjects').catch((fault: unknown) => {
        throw fault instanceof RegistryRefusal && fault.status === 404 ? notRegistry(host) : fault;
      });
      return null;
    }
  };
  const id = ({ id: found }: { id?: unknown }): number => {
    if (!Number.isInteger(found)) throw notRegistry(host);
    return found as number;
  };

  return {
    idOf: async (subject, schema) => {
      const found = await orNull(
        ask<{ id?: unknown }>('POST', `/subjects/${encodeURIComponent(subject)}`, { schema }),
      );
      return found === null ? null : id(found);
    },
    register: async (subject, schema) =>
      id(await ask('POST', `/subjects/${encodeURIComponent(subject)}/versions`, { schema })),
    requireFullCompatibility: async (subject) => {
      await ask('PUT', `/config/${encodeURIComponent(subject)}`, { compatibility: 'FULL_TRANSITIVE' });
    },
    schemaOf: async (schemaId) => {
      const found = await orNull(ask<{ schema?: unknown }>('GET', `/schemas/ids/${schemaId}`));
      if (found === null) return null;
      if (typeof found.schema !== 'string') throw notRegistry(host);
      return found.schema;
    },
  };
}

/** The JSON object or list in a text; null when it is neither. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Credentials in the address are removed here, so that no error can quote them. */
function addressOf(options: RegistryOptions): {
  host: string;
  auth: { username: string; password: string } | null;
} {
  let url: URL;
  try {
    url = new URL(options.url);
  } catch {
    throw new Error('the address of the schema registry is not a URL: write http(s)://host:port/path');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('the address of the schema registry must begin with http:// or https://');
  }
  if (options.ca !== undefined && url.protocol !== 'https:') {
    throw new Error('certificates for the schema registry need an address that begins with https://');
  }
  const username = options.username ?? decodeURIComponent(url.username);
  const password = options.password ?? decodeURIComponent(url.password);
  return {
    host: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    auth: username === '' ? null : { username, password },
  };
}

const unavailable = (host: string, what: string): RegistryUnavailable =>
  new RegistryUnavailable(`the schema registry at ${host} ${what}`);

const notRegistry = (host: string): RegistryUnavailable =>
  unavailable(
    host,
    'does not answer as a schema registry does: check SCHEMA_REGISTRY_URL and its path (Apicurio: /apis/ccompat/v7)',
  );

function refusalOf(host: string, { status, text }: RegistryAnswer, value: object | null): Error {
  const { message } = (value ?? {}) as { message?: unknown };
  const reason = (typeof message === 'string' && message !== '' ? message : text || `status ${status}`).slice(
    0,
    REASON_LIMIT,
  );
  if (AUTHORISATION_STATUSES.includes(status)) {
    return unavailable(host, `refuses the credentials (${status}): check its user, password and permissions`);
  }
  if (status === GARBLED_STATUS) return unavailable(host, `could not read the request (${reason})`);
  if (status >= 500) return unavailable(host, `answered with status ${status}`);
  return new RegistryRefusal(status, reason);
}
