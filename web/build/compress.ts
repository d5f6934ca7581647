import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(?:js|css|html|svg|txt)$/;
const BEST_GZIP = { level: 9 };

/** Writes `.br` and `.gz` beside every text below `folder` that they make smaller: never at start, never per request. */
export function compressBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = readFileSync(file);
    const brotli = brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
    const gzip = gzipSync(plain, BEST_GZIP);
    if (brotli.length < plain.length) writeFileSync(`${file}.br`, brotli);
    if (gzip.length < plain.length) writeFileSync(`${file}.gz`, gzip);
  }
}
