import { readFileSync, writeFileSync } from 'node:fs';
import { dataFileOf, readConfusables } from './lookalikes.ts';

/**
 * Generates detection's table of confusable letters from Unicode's:
 *
 *   npm run -w tuning generate:lookalikes -- <path of confusables.txt>
 *
 * The file is part of Unicode's security data and of ICU's source (icu/source/data/unidata), available in Debian with
 * `apt-get source icu`. Only this command needs it.
 */
const FILE = 'core/detect/read/lists/lookalikes.json';

const [source] = process.argv.slice(2);
if (source === undefined)
  throw new Error('name the file: npm run -w tuning generate:lookalikes -- <confusables.txt>');
const confusables = readConfusables(readFileSync(source, 'utf8'));
writeFileSync(FILE, dataFileOf(confusables));
process.stdout.write(`${FILE}: version ${confusables.version} of ${confusables.date}\n`);
