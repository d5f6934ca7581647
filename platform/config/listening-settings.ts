import { z } from 'zod';
import { PROXY_SETTINGS } from './proxy-settings.ts';
import { described } from './setting-description.ts';
import { basePath, flag, integer } from './setting-schemas.ts';

/** Where a process listens. */
export const LISTENING_SETTINGS = described({
  HOST: {
    description: 'Address to listen on. Containers set 0.0.0.0; `::` is every address of IPv6 and IPv4.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  PORT: {
    description: 'Port of the API; 0 picks a free one.',
    byDefault: '8080',
    schema: integer(0, 65_535).default(8080),
  },
  BASE_PATH: {
    description:
      'Path under which a proxy serves the service, such as /audit. API, dashboard, description and probes are then served under it; they stay at the root as well, for probes and for a proxy that removes the path. ADMIN_PORT is called without it.',
    byDefault: 'none: the service has the host to itself',
    schema: basePath().optional(),
  },
  ADMIN_PORT: {
    description:
      'Port of a listener of its own for /internal, /metrics and /health/ready of the API; PORT answers 404 for them then (/health/live is on both). 0 picks a free one. `cas` calls it by the same setting. The image sets 9090.',
    byDefault: 'embedded: none, all on PORT; distributed: PORT + 1',
    schema: integer(0, 65_535).optional(),
  },
  ADMIN_HOST: {
    description: 'Address of ADMIN_PORT and of HEALTH_PORT. Containers set 0.0.0.0, or `::` as for HOST.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  INTERNAL_ON_PUBLIC: {
    description:
      'true: PORT serves /internal too. Without ADMIN_PORT there is no second listener then, and PORT serves everything.',
    byDefault: 'false',
    schema: flag().prefault('false'),
  },
  HEALTH_PORT: {
    description:
      'Port, on ADMIN_HOST, of /health/live, /health/ready and /metrics of the roles without an API (analyzer, sink). Unset or 0: a free one, which the role’s line `ready` names. The image, the compose files and the chart set 9090.',
    byDefault: 'a free one',
    schema: integer(0, 65_535).default(0),
  },
  HTTP_BODY_MEMORY_MIB: {
    description:
      'Memory, in MiB, that the bodies of all requests under way may take in an API process, with what is made of them: three times their bytes, and 100 bytes a value. One customer may take half of it, and beside others who do so an equal part; more is answered with 503 and Retry-After. The least lets every body in by itself.',
    byDefault: '256',
    schema: integer(128, 65_536).default(256),
  },
  KEY_HEADER: {
    description: 'Name of the header that carries the API key.',
    byDefault: 'x-service-key',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,63}$/, { error: 'must be a lower-case header name' })
      .default('x-service-key'),
  },
  SIGNUP: {
    description:
      'Whether anybody may make an account: open or closed. An account is a customer on the plan DEV with one user; an address makes five an hour.',
    byDefault: 'open where HOST is loopback and TRUSTED_PROXIES is unset, else closed',
    schema: z.enum(['open', 'closed'], { error: 'must be open or closed' }).optional(),
  },
  ...PROXY_SETTINGS,
});
