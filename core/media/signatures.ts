/** Media types by the first bytes of a file. */

interface Signature {
  readonly type: string;
  readonly at: number;
  readonly bytes: Buffer;
}

const signature = (type: string, start: string, at = 0): Signature => ({
  type,
  at,
  bytes: Buffer.from(start, 'latin1'),
});

/** More specific signatures first. */
const SIGNATURES: readonly Signature[] = [
  signature('image/png', '\x89PNG\r\n\x1a\n'),
  signature('image/jpeg', '\xff\xd8\xff'),
  signature('image/gif', 'GIF87a'),
  signature('image/gif', 'GIF89a'),
  signature('image/webp', 'WEBP', 8),
  signature('audio/wav', 'WAVE', 8),
  signature('video/x-msvideo', 'AVI ', 8),
  signature('image/tiff', 'II*\0'),
  signature('image/tiff', 'MM\0*'),
  signature('image/avif', 'ftypavif', 4),
  signature('image/heic', 'ftyphei', 4),
  signature('image/heic', 'ftypmif1', 4),
  signature('audio/mp4', 'ftypM4A', 4),
  signature('video/quicktime', 'ftypqt', 4),
  signature('video/mp4', 'ftyp', 4),
  signature('video/webm', '\x1aE\xdf\xa3'),
  signature('audio/mpeg', 'ID3'),
  signature('audio/ogg', 'OggS'),
  signature('audio/flac', 'fLaC'),
  signature('application/pdf', '%PDF-'),
  signature('application/zip', 'PK\x03\x04'),
  signature('application/gzip', '\x1f\x8b\x08'),
  signature('font/woff', 'wOFF'),
  signature('font/woff2', 'wOF2'),
];

/** The type of a file that starts with these bytes; null: unknown. */
export function typeOf(start: Buffer): string | null {
  const found = SIGNATURES.find(
    ({ at, bytes }) =>
      start.length >= at + bytes.length && start.subarray(at, at + bytes.length).equals(bytes),
  );
  return found?.type ?? null;
}

/** Largest share of non-text characters that still counts as text. */
const STRANGE = 1 / 16;
const CONTROL = /[\p{Cc}\ufffd]/u;
const isBlank = (character: string): boolean =>
  character === '\n' || character === '\r' || character === '\t';

/** Whether these bytes read as text, which has to be analysed whatever type it declares. */
export function isText(start: Buffer): boolean {
  let strange = 0;
  const text = start.toString('utf8');
  for (const character of text) if (CONTROL.test(character) && !isBlank(character)) strange += 1;
  return strange <= text.length * STRANGE;
}
