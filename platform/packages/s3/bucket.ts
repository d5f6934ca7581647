import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { bucketFault } from './bucket-fault.ts';

/** Address and credentials of a bucket. */
export interface BucketSettings {
  readonly name: string;
  /** null: Amazon's endpoint for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Prefix of every key, without a trailing slash; empty if none. */
  readonly prefix: string;
  /** Whether the bucket's name is in the path rather than the host. */
  readonly pathStyle: boolean;
  /** null: from the environment, as in Amazon's own programs. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** PEM text; null: the certificates built into Node.js. */
  readonly ca: string | null;
}

/** Limits that tests shorten. */
interface BucketLimits {
  readonly connectMs: number;
  /** From the start of the request to the start of its response, including sending the body. */
  readonly answerMs: number;
  /** Maximum time without receiving or sending a byte. */
  readonly idleMs: number;
  /** Attempts per request, including the first; the library doubles the pause between them. */
  readonly attempts: number;
  /**
   * Size of an upload's parts in bytes: what an upload keeps in memory, and what is hashed at once. 5 MiB is the
   * protocol's minimum.
   */
  readonly partBytes: number;
  /**
   * Maximum number of listing pages, each of up to 1,000 keys. Packages need fewer: with more, another program uses the
   * same prefix, or the server loops.
   */
  readonly maxPages: number;
}

const LIMITS: BucketLimits = {
  connectMs: 5_000,
  answerMs: 60_000,
  idleMs: 30_000,
  attempts: 3,
  partBytes: 5 * 1024 ** 2,
  maxPages: 1_000,
};
/** Two packages being created, 32 downloads, and other requests. */
const MAX_SOCKETS = 64;

export interface Bucket {
  readonly name: string;
  readonly limits: BucketLimits;
  /** The key below the bucket's prefix. */
  key(...parts: string[]): string;
  /** Sends a request; an error says what an operator can do about it. `operation`: the permission that it needs. */
  ask<Result>(operation: string, work: (client: S3Client) => Promise<Result>): Promise<Result>;
  close(): void;
}

export function openBucket(settings: BucketSettings, changes: Partial<BucketLimits> = {}): Bucket {
  const { name, endpoint, prefix } = settings;
  const limits = { ...LIMITS, ...changes };
  const client = new S3Client(clientOptions(settings, limits));
  const where = { bucket: name, endpoint: endpoint ?? 'Amazon S3' };
  return {
    name,
    limits,
    key: (...parts) => [...(prefix === '' ? [] : [prefix]), ...parts].join('/'),
    ask: async (operation, work) => {
      try {
        return await work(client);
      } catch (error) {
        throw bucketFault(error, { ...where, operation });
      }
    },
    close: () => client.destroy(),
  };
}

function clientOptions(settings: BucketSettings, limits: BucketLimits): S3ClientConfig {
  const { endpoint, region, pathStyle, credentials, ca } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null
      ? {}
      : // A copy, for the library writes into what it is given.
        { credentials: { ...credentials } }),
    maxAttempts: limits.attempts,
    retryMode: 'standard',
    // The server verifies uploads. Downloads are compared with the digests inside the package.
    requestChecksumCalculation: 'WHEN_SUPPORTED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: limits.idleMs,
      httpAgent: agent,
      httpsAgent: ca === null ? agent : { ...agent, ca },
    },
  };
}
