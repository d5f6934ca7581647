/** Properties of a known word, as bits. */
export const GIVEN = 1;
export const SURNAME = 2;
export const PLACE = 4;
/** Countries, languages, months, products and companies: capitalised, but not people's names. */
export const PROPER = 8;
/** An ordinary word of the language. */
export const COMMON = 16;
/** Part of an address: street, apartment, box. */
export const STREET = 32;
/** A name may follow: "name", "dear", "mr". */
export const CUE = 64;
/** Occurs inside names and addresses: "van", "de", "of". */
export const PARTICLE = 128;

/** A gazetteer: words by hash, with their properties. */
export interface Lexicon {
  /** The bits of a word; 0 if it is unknown. */
  readonly flagsOf: (hash: number) => number;
}

/** Bits kept of a word's hash: about one unknown word in several thousand is mistaken for a known one. */
const HASH_BITS = 28;

const keyOf = (hash: number): number => hash >>> (32 - HASH_BITS);

/** Compact encoding: for each word, the difference from the previous hash in groups of seven bits, and its flags. */
export function encodeLexicon(flagsByHash: ReadonlyMap<number, number>): Uint8Array {
  const flagsByKey = new Map<number, number>();
  for (const [hash, flags] of flagsByHash) {
    flagsByKey.set(keyOf(hash), (flagsByKey.get(keyOf(hash)) ?? 0) | flags);
  }
  const bytes: number[] = [];
  let before = 0;
  for (const [key, flags] of [...flagsByKey].sort(([a], [b]) => a - b)) {
    let distance = key - before;
    for (; distance > 127; distance >>>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance, flags);
    before = key;
  }
  return Uint8Array.from(bytes);
}

/** Decodes to an open-addressed hash table, at most half full, so that a look-up takes one or two reads. */
export function decodeLexicon(bytes: Uint8Array): Lexicon {
  const keys: number[] = [];
  const flags: number[] = [];
  for (let at = 0, key = 0; at < bytes.length; ) {
    let distance = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      distance |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    key += distance;
    keys.push(key);
    flags.push(bytes[at++]!);
  }
  const size = 2 ** Math.ceil(Math.log2(keys.length * 2 + 2));
  const slots = new Int32Array(size).fill(-1);
  const flagsInSlot = new Uint8Array(size);
  const mask = size - 1;
  keys.forEach((key, index) => {
    let slot = key & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = key;
    flagsInSlot[slot] = flags[index]!;
  });
  return {
    flagsOf: (hash) => {
      const key = keyOf(hash);
      let slot = key & mask;
      while (slots[slot] !== key) {
        if (slots[slot] === -1) return 0;
        slot = (slot + 1) & mask;
      }
      return flagsInSlot[slot]!;
    },
  };
}
