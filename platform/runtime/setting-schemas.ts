import { z } from 'zod';

/** What the texts of settings may be. */

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
      error: `must be an address such as ${schemes[0]}://host:port (${schemes.join(' or ')})`,
    })
    .optional();

/** A list of distinct words, comma-separated. */
export const listOf = (words: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => {
        const given = value.split(',');
        return given.every((word) => words.includes(word)) && new Set(given).size === given.length;
      },
      { error: `must be some of ${words.join(', ')}, comma-separated` },
    )
    .optional();
