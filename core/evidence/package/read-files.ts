import type { z } from 'zod';
import type { Archive } from './archive.ts';
import { PackageFault } from './package-fault.ts';

/** A line of a package is one ledger entry, whose content is limited by the size of log records. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const LINE_BREAK = 0x0a;

/** The text of a small file. Throws `PackageFault` if it is too long, missing, or not UTF-8. */
export async function textOf(archive: Archive, name: string, maxBytes: number): Promise<string> {
  const file = archive.files.get(name);
  if (file === undefined) throw new PackageFault(name, 'it is missing');
  if (file.size > maxBytes) throw new PackageFault(name, `it has more than ${maxBytes} bytes`);
  const pieces: Uint8Array[] = [];
  for await (const piece of archive.chunks(name)) pieces.push(piece);
  return decoded(name, Buffer.concat(pieces));
}

/** The JSON of a small file, checked against a schema. */
export async function jsonOf<Schema extends z.ZodType>(
  archive: Archive,
  name: string,
  { schema, maxBytes }: { readonly schema: Schema; readonly maxBytes: number },
): Promise<z.output<Schema>> {
  return parsed(name, await textOf(archive, name, maxBytes), schema);
}

/** The lines of a file, each checked against a schema, with line numbers from 1. */
export async function* linesOf<Schema extends z.ZodType>(
  archive: Archive,
  name: string,
  schema: Schema,
): AsyncGenerator<{ readonly number: number; readonly value: z.output<Schema> }> {
  let rest: Uint8Array = new Uint8Array(0);
  let number = 0;
  for await (const piece of archive.chunks(name)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (let end = bytes.indexOf(LINE_BREAK, at); end >= 0; end = bytes.indexOf(LINE_BREAK, at)) {
      number += 1;
      const text = decoded(`${name}:${number}`, bytes.subarray(at, end));
      yield { number, value: parsed(`${name}:${number}`, text, schema) };
      at = end + 1;
    }
    rest = bytes.subarray(at);
    if (rest.length > MAX_LINE_BYTES) throw new PackageFault(`${name}:${number + 1}`, 'the line is too long');
  }
  if (rest.length > 0) throw new PackageFault(name, 'it ends in the middle of a line');
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(line: string, bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new PackageFault(line, 'it is not UTF-8');
  }
}

/** Hides the messages of the parser and of the schema, which may quote the file. */
function parsed<Schema extends z.ZodType>(line: string, text: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PackageFault(line, 'it is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new PackageFault(line, `it does not have the expected format, at "${issue?.path.join('.')}"`);
}
