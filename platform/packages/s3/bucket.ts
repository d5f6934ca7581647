import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { bucketFault } from './bucket-fault.ts';

/** Where a bucket is, and how to log in. */
export interface BucketSettings {
  readonly name: string;
  /** null: Amazon's own, of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Beginning of every key, without a slash at the end; empty: none. */
  readonly prefix: string;
  /** The bucket's name stands in the path and not in the host. */
  readonly pathStyle: boolean;
  /** null: what the environment offers, as with Amazon's other programs. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** PEM text; null: the certificates of Node.js. */
  readonly ca: string | null;
}

/** Limits that tests shorten. */
interface BucketLimits {
  readonly connectMs: number;
  /** From the request to the beginning of its answer, what is sent included. */
  readonly answerMs: number;
  /** In which nothing arrives or leaves. */
  readonly idleMs: number;
  /** Tries of a request, the first one included; the library doubles the pause between them. */
  readonly attempts: number;
  /**
   * Bytes of a part of an upload: what an upload keeps in memory, and what is hashed in one go. 5 MiB is the least that
   * the protocol knows.
   */
  readonly partBytes: number;
  /**
   * Pages of a listing, each of up to 1,000 keys. More than packages have: the prefix is somebody else's too, or the
   * server goes in circles.
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
/** Two packages that are made, 32 downloads, and what is asked besides. */
const MAX_SOCKETS = 64;

export interface Bucket {
  readonly name: string;
  readonly limits: BucketLimits;
  /** The key below the bucket's prefix. */
  key(...parts: string[]): string;
  /** Asks the server; an error says what an operator can do about it. `operation`: the permission that it needs. */
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
    // The server checks what it gets. What is read here is compared with the digests inside the package.
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
