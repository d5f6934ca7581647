import { z } from 'zod';
import { described } from './setting-description.ts';
import { flag, text } from './setting-schemas.ts';

/** Allows the protocol, the host and a path, and nothing that could hold a secret. */
function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** A key consists of prefix, customer and name; nothing in it needs escaping or can point to another location. */
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}){0,7}$/;
const secret = { schema: text(), secret: true } as const;

/** Storage of evidence packages. */
export const PACKAGE_SETTINGS = described({
  PACKAGES_DIR: {
    description:
      'Folder for evidence packages, with mode 0700. In the distributed profile, all API processes must share it (a network volume); without a folder or a bucket, packages are disabled.',
    byDefault: 'embedded: `packages` in DATA_DIR; distributed: none',
    schema: text(),
  },
  PACKAGES_S3_BUCKET: {
    description:
      'Bucket for evidence packages, instead of a folder: Amazon S3 or a compatible server. It must exist, with versioning off. Everyone with access to it can read the packages of all customers.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
        error: 'must be a bucket name: 3 to 63 lower-case letters, digits, hyphens and dots',
      })
      .optional(),
  },
  PACKAGES_S3_ENDPOINT: {
    description: 'URL of the server, http(s)://host:port.',
    byDefault: 'Amazon S3 in the region',
    schema: z
      .string()
      .refine(isEndpoint, {
        error:
          'must be a URL such as https://host:port without credentials; put those in PACKAGES_S3_ACCESS_KEY_ID and PACKAGES_S3_SECRET_ACCESS_KEY',
      })
      .optional(),
  },
  PACKAGES_S3_REGION: {
    description: 'Region of the bucket, also used for signing requests.',
    byDefault: 'us-east-1',
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, { error: 'must be a region such as eu-central-1' })
      .default('us-east-1'),
  },
  PACKAGES_S3_PREFIX: {
    description:
      'Prefix of all object keys, without slashes at start and end. The bucket can contain other objects.',
    byDefault: 'packages',
    schema: z
      .string()
      .regex(PREFIX, {
        error:
          'must consist of letters, digits, dots, hyphens and underscores, separated by single slashes, with none at the start or end',
      })
      .default('packages'),
  },
  PACKAGES_S3_PATH_STYLE: {
    description:
      'true: put the bucket name into the path (https://host/bucket/key) instead of the host (https://bucket.host/key).',
    byDefault: 'true with PACKAGES_S3_ENDPOINT, otherwise false',
    schema: flag().optional(),
  },
  PACKAGES_S3_ACCESS_KEY_ID: {
    description: 'Access key id.',
    byDefault:
      'as in AWS libraries: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of the pod or machine',
    ...secret,
  },
  PACKAGES_S3_SECRET_ACCESS_KEY: { description: 'Secret access key.', byDefault: 'none', ...secret },
  PACKAGES_S3_CA: {
    description: 'File with PEM certificates to trust for an https endpoint.',
    byDefault: 'certificates trusted by Node.js',
    schema: text(),
    file: true,
  },
});
