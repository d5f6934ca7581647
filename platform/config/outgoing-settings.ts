import { z } from 'zod';
import type { OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { described } from './setting-description.ts';

const SCHEMES: readonly string[] = ['http:', 'https:'];

/** `proxy.example:3128` means http, as other programs read it. */
const proxyAddress = () =>
  z
    .string()
    .transform((text) => (text.includes('://') ? text : `http://${text}`))
    .refine((text) => URL.canParse(text) && SCHEMES.includes(new URL(text).protocol), {
      // Without the value, which may hold a password.
      error:
        'must be the address of an http proxy such as http://proxy.example:3128; other kinds are not supported',
    })
    .optional();

const USED_BY =
  'Used by `cas` for the service that it calls, and by the analyzer for JUDGE_URL; not for Kafka, ClickHouse, Redis, a schema registry or a bucket. This machine (localhost, 127.0.0.0/8, ::1) is always called directly. A user and a password may stand in the address; they are never logged. The name in lower case is read too, and counts first.';

/** The proxies of a company's network, by the names that other programs read. */
export const OUTGOING_SETTINGS = described({
  HTTPS_PROXY: {
    description: `Proxy for https: http(s)://[user:password@]host:port. A tunnel (CONNECT) is asked for, so the proxy sees the host and nothing else. ${USED_BY}`,
    byDefault: 'none',
    schema: proxyAddress(),
    isLowerCaseToo: true,
  },
  HTTP_PROXY: {
    description: 'Proxy for http, as HTTPS_PROXY; it sees the requests.',
    byDefault: 'none',
    schema: proxyAddress(),
    isLowerCaseToo: true,
  },
  NO_PROXY: {
    description:
      'Hosts that are called without a proxy, separated by commas or spaces: a name (example.com, .example.com or *.example.com: it and all names below it), an address, a network (10.0.0.0/8; it names addresses in URLs, no host names), each but a network with or without a port (example.com:8443), or `*` for all.',
    byDefault: 'none',
    schema: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
      .optional(),
    isLowerCaseToo: true,
  },
});

export const outgoingProxies = (values: {
  readonly HTTP_PROXY?: string | undefined;
  readonly HTTPS_PROXY?: string | undefined;
  readonly NO_PROXY?: readonly string[] | undefined;
}): OutgoingProxies => ({
  http: values.HTTP_PROXY ?? null,
  https: values.HTTPS_PROXY ?? null,
  except: values.NO_PROXY ?? [],
});
