import type { Response } from 'mappersmith';
import { RegistryUnavailable } from './port.ts';

/** A refusal that the caller has to interpret. */
export class RegistryRefusal extends Error {
  /** Not named `status`, because the library replaces or reacts to errors whose `status` is 404. */
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.name = 'RegistryRefusal';
    this.statusCode = statusCode;
  }
}

/** The rejection of a failed request: an error of the library, or mappersmith's response. */
export type FailedRequest = (Error & { readonly status?: number }) | Response;

/** The library's messages start with it. */
export const CLIENT_ID = 'cas';
/** Also the status that mappersmith assigns to a failed connection. */
const BAD_REQUEST = 400;
const AUTHORISATION_STATUSES = [401, 403];
const REASON_LIMIT = 400;

export const unavailable = (host: string, what: string): RegistryUnavailable =>
  new RegistryUnavailable(`the schema registry at ${host} ${what}`);

export const notRegistry = (host: string): RegistryUnavailable =>
  unavailable(
    host,
    'is not a schema registry: check SCHEMA_REGISTRY_URL and its path (Apicurio: /apis/ccompat/v7)',
  );

/** Converts a failed request to one of our errors, without the request, whose headers contain credentials. */
export function faultOf(host: string, failed: FailedRequest): RegistryUnavailable | RegistryRefusal {
  const status = (failed instanceof Error ? failed.status : failed.status()) ?? BAD_REQUEST;
  const reason = reasonOf(failed, status).slice(0, REASON_LIMIT);
  if (AUTHORISATION_STATUSES.includes(status)) {
    return unavailable(host, `rejected the credentials (${status}): check user, password and permissions`);
  }
  if (status === BAD_REQUEST) {
    return unavailable(
      host,
      `is unreachable, or cannot read the request (${reason}): check that it is running, and check SCHEMA_REGISTRY_URL`,
    );
  }
  if (status >= 500) return unavailable(host, `answered with status ${status}`);
  return new RegistryRefusal(status, reason);
}

function reasonOf(failed: FailedRequest, status: number): string {
  if (failed instanceof Error) {
    return failed.message.replace(`${CLIENT_ID} - `, '').replace(`Error, status ${status}: `, '');
  }
  const body = failed.data<{ message?: unknown } | string | null>();
  return String((typeof body === 'object' ? body?.message : body) || `status ${status}`);
}
