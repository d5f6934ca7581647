import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';

/** Damage that disks and interrupted copies do to an LMDB file: functions that change the bytes, by name. */
export const FILE_DAMAGE: Readonly<Record<string, (file: string) => void>> = {
  'cut in half': (file) => truncateSync(file, statSync(file).size / 2),
  'without its last page': (file) => truncateSync(file, statSync(file).size - 4096),
  'that ends in its meta pages': (file) => truncateSync(file, 5_000),
  'of zeros': (file) => change(file, (bytes) => bytes.fill(0)),
  'whose meta pages are zeros': (file) => change(file, (bytes) => bytes.fill(0, 0, 8_192)),
  'whose second meta page is zeros': (file) => change(file, (bytes) => bytes.fill(0, 4_096, 8_192)),
  'whose first pages of data are zeros': (file) => change(file, (bytes) => bytes.fill(0, 8_192, 81_920)),
  'overwritten from its middle on': (file) =>
    change(file, (bytes) => bytes.fill('another file', bytes.length >> 1)),
};

export function change(file: string, how: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(file);
  how(bytes);
  writeFileSync(file, bytes);
}

/** Flips a bit after each occurrence of this text in the file. Returns the number of occurrences. */
export function flipBitAfter(file: string, text: string): number {
  let occurrences = 0;
  change(file, (bytes) => {
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
      bytes[at + text.length - 1]! ^= 1;
      occurrences += 1;
    }
  });
  return occurrences;
}
