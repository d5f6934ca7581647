import { z } from 'zod';
import { PROXY_SETTINGS } from './proxy-settings.ts';
import { described } from './setting-description.ts';
import { basePath, flag, integer } from './setting-schemas.ts';

/** Addresses and ports on which a process listens. */
export const LISTENING_SETTINGS = described({
  HOST: {
    description: 'Address to listen on. Containers set 0.0.0.0; `::` listens on all IPv6 and IPv4 addresses.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  PORT: {
    description: 'Port of the API. 0 picks a free port.',
    byDefault: '8080',
    schema: integer(0, 65_535).default(8080),
  },
  BASE_PATH: {
    description:
      'Path under which a reverse proxy serves the service, such as /audit. API, dashboard, API reference and probes are then served under this path, and also at the root, for probes and for proxies that strip the path. Does not apply to ADMIN_PORT.',
    byDefault: 'none',
    schema: basePath().optional(),
  },
  ADMIN_PORT: {
    description:
      'Separate port for /internal, /metrics and /health/ready of the API. PORT then returns 404 for these paths (/health/live is on both). 0 picks a free port. `cas` uses the same setting. The image sets 9090.',
    byDefault: 'embedded: none (PORT serves everything); distributed: PORT + 1',
    schema: integer(0, 65_535).optional(),
  },
  ADMIN_HOST: {
    description: 'Address for ADMIN_PORT and HEALTH_PORT. Containers set 0.0.0.0, or `::` as for HOST.',
    byDefault: '127.0.0.1',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  INTERNAL_ON_PUBLIC: {
    description:
      'true: serve /internal on PORT as well. Without ADMIN_PORT there is only one listener, and PORT serves everything.',
    byDefault: 'false',
    schema: flag().prefault('false'),
  },
  HEALTH_PORT: {
    description:
      'Port, on ADMIN_HOST, for /health/live, /health/ready and /metrics of roles without an API (analyzer, sink). Unset or 0 picks a free port, which is logged in the line `ready`. The image, the compose files and the chart set 9090.',
    byDefault: 'a free port',
    schema: integer(0, 65_535).default(0),
  },
  HTTP_BODY_MEMORY_MIB: {
    description:
      'Memory, in MiB, for request bodies in progress in an API process. A body counts as three times its size plus 100 bytes per value. One customer can use half of it; several busy customers share it equally. Above the limit, requests get 503 with Retry-After. At the minimum value, every body still fits by itself.',
    byDefault: '256',
    schema: integer(128, 65_536).default(256),
  },
  KEY_HEADER: {
    description: 'Name of the header with the API key.',
    byDefault: 'x-service-key',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,63}$/, { error: 'must be a lower-case header name' })
      .default('x-service-key'),
  },
  SIGNUP: {
    description:
      'Whether anyone can sign up: open or closed. Signing up creates a customer with the plan DEV and one user; each address can create five accounts per hour.',
    byDefault: 'open if HOST is loopback and TRUSTED_PROXIES is unset, otherwise closed',
    schema: z.enum(['open', 'closed'], { error: 'must be open or closed' }).optional(),
  },
  ...PROXY_SETTINGS,
});
