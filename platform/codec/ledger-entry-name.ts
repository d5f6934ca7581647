const HEADER_BYTES = 5;
const SHIFT_BITS = 7;
const LAST_SHIFT_BITS = 28;

interface LedgerEntryName {
  readonly kind: string;
  readonly id: string;
}

/**
 * Kind and id of an encoded ledger entry, read without decoding the rest. Every version of the schema starts with `v`,
 * `kind` and `id`. Null if the bytes are not an entry.
 */
export function ledgerEntryName(value: Buffer): LedgerEntryName | null {
  const version = readLength(value, HEADER_BYTES);
  const kind = version === null ? null : readText(value, version.next);
  const id = kind === null ? null : readText(value, kind.next);
  return kind === null || id === null ? null : { kind: kind.text, id: id.text };
}

/** An Avro number: seven bits per byte, with the sign in the lowest bit. */
function readLength(value: Buffer, from: number): { readonly length: number; readonly next: number } | null {
  let bits = 0;
  for (
    let shift = 0, at = from;
    shift <= LAST_SHIFT_BITS && at < value.length;
    shift += SHIFT_BITS, at += 1
  ) {
    const byte = value[at]!;
    bits += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return bits % 2 === 0 ? { length: bits / 2, next: at + 1 } : null;
  }
  return null;
}

function readText(value: Buffer, from: number): { readonly text: string; readonly next: number } | null {
  const found = readLength(value, from);
  if (found === null || found.next + found.length > value.length) return null;
  const next = found.next + found.length;
  return { text: value.toString('utf8', found.next, next), next };
}
