import { register } from 'node:module';
import { loosenedReader, prefilteredPatterns, readers } from './recorded.ts';

/** Program that loads all detectors and prints the number of their patterns, and the faulty ones. */

register('./redirect.js', import.meta.url);
await import('../../search/detectors.ts');

const faults: string[] = [];
for (const [pattern, read] of readers) {
  try {
    read();
  } catch (error) {
    faults.push(`${pattern}: ${(error as Error).message}`);
  }
}
for (const pattern of prefilteredPatterns)
  if (!Number.isFinite(loosenedReader(pattern, false)().longest)) faults.push(`${pattern}: no limit`);
process.stdout.write(JSON.stringify({ read: readers.size, prefiltered: prefilteredPatterns.size, faults }));
