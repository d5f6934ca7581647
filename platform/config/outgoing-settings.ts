import { z } from 'zod';
import type { OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { described } from './setting-description.ts';

const SCHEMES: readonly string[] = ['http:', 'https:'];

/** `proxy.example:3128` means http, as in other programs. */
const proxyAddress = () =>
  z
    .string()
    .transform((text) => (text.includes('://') ? text : `http://${text}`))
    .refine((text) => URL.canParse(text) && SCHEMES.includes(new URL(text).protocol), {
      // Omits the value, which may contain a password.
      error: 'must be an HTTP proxy such as http://proxy.example:3128; other proxy types are not supported',
    })
    .optional();

/** The proxies of a company's network, under the names that other programs use. */
export const OUTGOING_SETTINGS = described({
  HTTPS_PROXY: {
    description:
      'Proxy for https URLs: http(s)://[user:password@]host:port. Requests use a tunnel (CONNECT), so the proxy only sees the host. Applies to `cas` and to JUDGE_URL, not to Kafka, ClickHouse, Redis, a schema registry or a bucket. This machine (localhost, 127.0.0.0/8, ::1) is always called directly. Credentials are never logged. The lower-case name takes precedence.',
    byDefault: 'none',
    schema: proxyAddress(),
    isLowerCaseToo: true,
  },
  HTTP_PROXY: {
    description: 'Proxy for http URLs, like HTTPS_PROXY. It sees the full requests.',
    byDefault: 'none',
    schema: proxyAddress(),
    isLowerCaseToo: true,
  },
  NO_PROXY: {
    description:
      'Hosts to call without a proxy, separated by commas or spaces: a name (example.com, .example.com or *.example.com, each including subdomains), an IP address, a network (10.0.0.0/8; only matches IP addresses in URLs), or `*` for all. Names and addresses can have a port (example.com:8443).',
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
