import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:js|css|html|svg|txt)$/;
const BEST_GZIP = { level: 9 };

/**
 * Writes `.br` and `.gz` next to every text file below `folder` that they make smaller: at build time, never at start
 * or per request. Files are compressed concurrently in Node's thread pool.
 */
export async function compressBelow(folder: string): Promise<void> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const texts = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  await Promise.all(texts.map(({ parentPath, name }) => compress(path.join(parentPath, name))));
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }),
    promisify(gzip)(plain, BEST_GZIP),
  ]);
  if (brotli.length < plain.length) await writeFile(`${file}.br`, brotli);
  if (zipped.length < plain.length) await writeFile(`${file}.gz`, zipped);
}
