import { Agent } from 'node:https';
import api from '@kafkajs/confluent-schema-registry/dist/api/index.js';
import { RegistryUnavailable } from './port.ts';

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

/** A refusal that the caller has to make sense of. */
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
  /** Id of the schema, registered if need be. Rejects with `RegistryRefusal` (409: incompatible). */
  register(subject: string, schema: string): Promise<number>;
  /** From now on every version under the subject must read every other. */
  requireFullCompatibility(subject: string): Promise<void>;
  /** JSON of the schema behind an id, or null when the id was never given out. */
  schemaOf(id: number): Promise<string | null>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** The client reports every fault below HTTP as this status, with the fault's text. */
const TRANSPORT_STATUS = 400;
const REASON_LIMIT = 400;
const AUTHORISATION_STATUSES = [401, 403];

interface Answer {
  data(): unknown;
}

export function registryClient(options: RegistryOptions): RegistryClient {
  const { host, auth } = addressOf(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  // The client's own class keeps neither the order (compatibility first) nor a time limit, so its calls are used.
  const calls = api.default({
    host,
    clientId: 'cas',
    retry: { retries: 0 },
    ...(auth === null ? {} : { auth }),
    ...(options.ca === undefined ? {} : { agent: new Agent({ ca: options.ca }) }),
  });

  /** One call within the time limit, its answer a JSON object or list. */
  const ask = async <Body>(call: (limits: { signal: AbortSignal }) => Promise<Answer>): Promise<Body> => {
    // The signal ends the request; the race ends the wait for one that broke off in the middle of its answer.
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) => {
      signal.onabort = () => reject(unavailable(host, `did not answer within ${timeoutMs / 1_000} s`));
    });
    const body = await Promise.race([call({ signal }), late]).then(
      (answer) => answer.data(),
      (error: unknown) => {
        throw faultOf(host, error);
      },
    );
    if (typeof body !== 'object' || body === null) throw notRegistry(host);
    return body as Body;
  };
  /** Null for a 404 that the registry itself gave; a 404 of anything else is an address that is wrong. */
  const orNull = async <Value>(call: Promise<Value>): Promise<Value | null> => {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof RegistryRefusal) || error.status !== 404) throw error;
      await ask((limits) => calls.Subject.all(limits)).catch((fault: unknown) => {
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
        ask<{ id?: unknown }>((limits) => calls.Subject.registered({ subject, body: { schema }, ...limits })),
      );
      return found === null ? null : id(found);
    },
    register: async (subject, schema) =>
      id(await ask((limits) => calls.Subject.register({ subject, body: { schema }, ...limits }))),
    requireFullCompatibility: async (subject) => {
      const body = { compatibility: 'FULL_TRANSITIVE' };
      await ask((limits) => calls.Subject.updateConfig({ subject, body, ...limits }));
    },
    schemaOf: async (schemaId) => {
      const found = await orNull(
        ask<{ schema?: unknown }>((limits) => calls.Schema.find({ id: schemaId, ...limits })),
      );
      if (found === null) return null;
      if (typeof found.schema !== 'string') throw notRegistry(host);
      return found.schema;
    },
  };
}

/** Credentials may stand in the address; they leave it here, so that no error can quote them. */
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

function faultOf(host: string, error: unknown): Error {
  if (error instanceof RegistryUnavailable) return error;
  const { status, message } = error as { status?: number; message: string };
  const reason = message.replace(/^cas - (Error, status \d+: )?/, '').slice(0, REASON_LIMIT);
  if (status === undefined || status === TRANSPORT_STATUS) {
    return unavailable(host, `cannot be reached (${reason}): check that it runs and SCHEMA_REGISTRY_URL`);
  }
  if (AUTHORISATION_STATUSES.includes(status)) {
    return unavailable(host, `refuses the credentials (${status}): check its user, password and permissions`);
  }
  if (status >= 500) return unavailable(host, `answered with status ${status}`);
  return new RegistryRefusal(status, reason);
}
