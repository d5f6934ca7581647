import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal } from '#platform/flow/refusal.ts';
import { getDocs, getDocsFile } from '#schemas/api/operation.ts';
import type { AddRoute } from '../http/route.ts';
import { PAGE, START, THEME } from './docs-page.ts';

/** Swagger UI's style sheet contains small images (data:). Everything else comes from this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' };
const KEPT = { ...HEADERS, 'cache-control': 'public, max-age=3600' };

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** Files of the package that the page needs, with their media types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': JAVASCRIPT,
  'swagger-ui.css': CSS,
  'favicon-32x32.png': 'image/png',
};

/** Serves the API reference: Swagger UI, from its package. */
export function docsRoutes(add: AddRoute): void {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const kept = new Map<string, Promise<Buffer>>();
  /** Each file is read once. */
  const contentOf = (file: string): Promise<Buffer> => {
    const content = kept.get(file) ?? readFile(path.join(folder, file));
    kept.set(file, content);
    content.catch(() => kept.delete(file));
    return content;
  };
  add(getDocs, async () => ({ text: PAGE, headers: HEADERS }));
  add(getDocsFile, async ({ params: { file } }) => {
    if (file === 'start.js') return { text: START, headers: { ...KEPT, 'content-type': JAVASCRIPT } };
    if (file === 'theme.css') return { text: THEME, headers: { ...KEPT, 'content-type': CSS } };
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (type === undefined) throw new Refusal('NOT_FOUND');
    return { bytes: await contentOf(file), headers: { ...KEPT, 'content-type': type } };
  });
}
