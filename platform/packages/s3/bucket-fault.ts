import { ServiceError } from '#platform/flow/service-error.ts';
import { PackageStorageFull, PackageStorageUnavailable } from '../port.ts';

interface Asked {
  readonly bucket: string;
  readonly endpoint: string;
  readonly operation: string;
}

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'InsufficientStorage'];
const WRONG_CREDENTIALS = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
];
const WRONG_REGION = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
];
const PERMISSIONS =
  's3:ListBucket, s3:ListBucketMultipartUploads, s3:GetBucketVersioning, s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload';

/** Errors of the program, not the network. */
const OWN_FAULTS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

/**
 * Converts an error of the library to a new one of the service, because the library's errors contain the request, and
 * the server's may repeat the key's name and what was signed.
 */
export function bucketFault(error: unknown, asked: Asked): Error {
  if (error instanceof ServiceError) return error;
  const { code, status } = codeOf(error);
  if (code === 'AbortError') return new Error(`${asked.operation} was canceled`);
  if (FULL.includes(code) || status === 507) return new PackageStorageFull();
  const advice = adviceFor(code, status, asked);
  if (advice !== null) return new PackageStorageUnavailable(advice);
  return new BucketRefusal(code, status, asked);
}

/** An unrecognized response: retrying later may help, but only a limited number of times. */
export class BucketRefusal extends ServiceError {
  readonly code: string;
  readonly status: number | null;
  constructor(code: string, status: number | null, { bucket, operation }: Asked) {
    super(`the bucket ${bucket} answered ${status ?? 'nothing'} (${code}) to ${operation}`);
    this.name = 'BucketRefusal';
    this.code = code;
    this.status = status;
  }
}

export const isNotThere = (error: unknown): boolean => error instanceof BucketRefusal && error.status === 404;

function codeOf(error: unknown): { readonly code: string; readonly status: number | null } {
  const { name, code, $metadata } = error as Partial<
    Error & { code: unknown; $metadata: { httpStatusCode?: number } }
  >;
  const text = typeof code === 'string' ? code : String(name ?? 'Error');
  // Nothing else from the error, whatever a server says.
  return { code: /^\w{1,64}$/.test(text) ? text : 'Error', status: $metadata?.httpStatusCode ?? null };
}

function adviceFor(code: string, status: number | null, asked: Asked): string | null {
  const { bucket, endpoint, operation } = asked;
  if (code === 'NoSuchBucket' || (operation === 's3:ListBucket' && status === 404))
    return `bucket ${bucket} not found at ${endpoint}: create it, or correct PACKAGES_S3_BUCKET or PACKAGES_S3_ENDPOINT`;
  if (code === 'CredentialsProviderError')
    return 'no credentials for the bucket: set PACKAGES_S3_ACCESS_KEY_ID and PACKAGES_S3_SECRET_ACCESS_KEY, or give the process a cloud role';
  if (WRONG_CREDENTIALS.includes(code))
    return `the bucket ${bucket} rejected the credentials (${code}): correct PACKAGES_S3_ACCESS_KEY_ID and PACKAGES_S3_SECRET_ACCESS_KEY`;
  if (code === 'RequestTimeTooSkewed')
    return `the clocks of this machine and of ${endpoint} differ too much: synchronize them`;
  if (WRONG_REGION.includes(code) || status === 301)
    return `the bucket ${bucket} is in another region (${code}): correct PACKAGES_S3_REGION`;
  if (status === 401 || status === 403)
    return `access to the bucket ${bucket} is denied (${operation}): allow ${PERMISSIONS}, or correct the credentials`;
  if (status === 429 || (status !== null && status >= 500))
    return `the server of the bucket ${bucket} returned ${status} (${code}) for ${operation}; retrying`;
  // The data arrived corrupted or too late.
  if (code === 'BadDigest' || code === 'RequestTimeout' || code === 'XAmzContentSHA256Mismatch')
    return `an upload to the bucket ${bucket} was incomplete (${code}); retrying`;
  if (status === null && !OWN_FAULTS.includes(code))
    return `cannot reach the bucket ${bucket} at ${endpoint} (${code}): check that its server is running, and check PACKAGES_S3_ENDPOINT and PACKAGES_S3_CA`;
  return null;
}
