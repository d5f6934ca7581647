import { z } from 'zod';
import { described } from './setting-description.ts';
import { flag, text } from './setting-schemas.ts';

/** The protocol, the host and a path, and nothing that could hold a secret. */
function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** A key is prefix, customer and name: nothing in it needs escaping, and nothing leads elsewhere. */
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}){0,7}$/;
const secret = { schema: text(), secret: true } as const;

/** Where evidence packages lie. */
export const PACKAGE_SETTINGS = described({
  PACKAGES_DIR: {
    description:
      'Folder of the evidence packages, closed to other users. Distributed it has to be one that all API processes share (a network volume); without it, and without a bucket, no packages are made.',
    byDefault: 'embedded: `packages` in DATA_DIR; distributed: none',
    schema: text(),
  },
  PACKAGES_S3_BUCKET: {
    description:
      'Bucket of the evidence packages, in the place of a folder: Amazon S3, or another server that speaks its protocol. It has to exist, to keep no versions, and to belong to nobody who may not read every customer’s packages.',
    byDefault: 'none',
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
        error: 'must be the name of a bucket: 3 to 63 lower-case letters, digits, hyphens and dots',
      })
      .optional(),
  },
  PACKAGES_S3_ENDPOINT: {
    description: 'Address of the server, http(s)://host:port.',
    byDefault: 'Amazon S3 of the region',
    schema: z
      .string()
      .refine(isEndpoint, {
        error:
          'must be an address such as https://host:port, without credentials: they go into PACKAGES_S3_ACCESS_KEY_ID and PACKAGES_S3_SECRET_ACCESS_KEY',
      })
      .optional(),
  },
  PACKAGES_S3_REGION: {
    description: 'Region of the bucket; it is part of what is signed.',
    byDefault: 'us-east-1',
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, { error: 'must be the name of a region, such as eu-central-1' })
      .default('us-east-1'),
  },
  PACKAGES_S3_PREFIX: {
    description:
      'What every key begins with, without slashes at its ends. The bucket may hold other things beside it.',
    byDefault: 'packages',
    schema: z
      .string()
      .regex(PREFIX, {
        error: 'must be names of letters, digits, dots, hyphens and _, with slashes between them alone',
      })
      .default('packages'),
  },
  PACKAGES_S3_PATH_STYLE: {
    description:
      'The bucket’s name stands in the path (https://host/bucket/key) and not in the host (https://bucket.host/key).',
    byDefault: 'true with PACKAGES_S3_ENDPOINT, else false',
    schema: flag().optional(),
  },
  PACKAGES_S3_ACCESS_KEY_ID: {
    description: 'Id of the access key.',
    byDefault:
      'what Amazon’s libraries find: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of the pod or machine',
    ...secret,
  },
  PACKAGES_S3_SECRET_ACCESS_KEY: { description: 'Secret of that key.', byDefault: 'none', ...secret },
  PACKAGES_S3_CA: {
    description: 'File with the PEM certificates that an https server is trusted by.',
    byDefault: 'those of Node.js',
    schema: text(),
    file: true,
  },
});
