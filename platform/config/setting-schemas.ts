import { z } from 'zod';
import { isLoopback } from './allowed-hosts.ts';

/** Schemas that check settings and convert their texts to values. */

export const text = () => z.string().min(1).optional();

export const flag = () =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

export const integer = (from: number, to: number) =>
  z.coerce.number({ error: `must be a whole number from ${from} to ${to}` }).pipe(
    z
      .int({ error: `must be a whole number from ${from} to ${to}` })
      .min(from)
      .max(to),
  );

/** An address with one of these schemes. The message never repeats the value: it may hold a password. */
export const address = (...schemes: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), {
      error: `must be a URL such as ${schemes[0]}://host:port (${schemes.join(' or ')})`,
    })
    .optional();

/** https anywhere, http only on this machine, because requests are confidential. No credentials in the address. */
const isConfidential = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
};

/** A confidential address such as `example`; `secret`: the setting for credentials, with its noun. */
export const confidentialAddress = (example: string, secret: string) =>
  z
    .string()
    .refine(isConfidential, {
      error: `must be an https URL such as ${example} (http only for localhost and 127.0.0.1), without credentials: ${secret}`,
    })
    .optional();

const split = (value: string): string[] => value.split(',');

/** A comma-separated list; `list` validates the whole text. */
export const listOf = (list: z.ZodString) => list.transform(split);

export const hostsAndPorts = () =>
  listOf(
    z.string().regex(/^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/, {
      error: 'must be host:port, several separated by commas',
    }),
  ).optional();

/** A comma-separated list of distinct words from `words`. */
export const someOf = <const Words extends readonly [string, ...string[]]>(words: Words) => {
  const error = `must be some of ${words.join(', ')}, comma-separated`;
  return z
    .string()
    .transform(split)
    .pipe(
      z.array(z.enum(words, { error })).refine((given) => new Set(given).size === given.length, { error }),
    );
};

const MAX_BASE_PATH = 128;
/** Paths of the service that could be confused with a base path. */
const OWN_PATHS = ['ui', 'health', 'metrics', 'internal', 'sandboxes'];

/** Path under which a proxy serves the service: `/audit`, `/tools/audit`. */
export const basePath = () =>
  z
    .string()
    .max(MAX_BASE_PATH, { error: `must have at most ${MAX_BASE_PATH} characters` })
    .refine((value) => /^(?:\/[A-Za-z0-9._~-]+)+$/.test(value) && !/\/\.{1,2}(?:\/|$)/.test(value), {
      error:
        'must look like /audit: a slash before each segment, none at the end, and only letters, digits, -, ., _ and ~',
    })
    .refine((value) => !OWN_PATHS.includes(value.split('/')[1] ?? ''), {
      error: `must not start with ${OWN_PATHS.map((one) => `/${one}`).join(', ')}, which the service uses itself`,
    });
