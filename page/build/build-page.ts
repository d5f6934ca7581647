import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assemblePage } from './assemble.ts';
import { bundlePage } from './bundle.ts';

/** Builds the page inside evidence packages from the sources below `root`. */
export async function buildPage(root: string): Promise<string> {
  const read = (file: string): string => readFileSync(path.join(root, 'page', 'template', file), 'utf8');
  return assemblePage({
    template: read('verify.html'),
    style: read('verify.css'),
    ...(await bundlePage(root)),
  });
}
