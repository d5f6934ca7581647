import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal } from '#platform/flow/refusal.ts';
import { getDocs, getDocsFile } from '#schemas/api/operation.ts';
import type { AddRoute } from '../http/route.ts';

/**
 * The viewer's style sheet contains small images (data:). Everything else comes from this server, and the page contacts
 * no other.
 */
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

/** Addresses are relative, so that the page also works behind a prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Compliance Audit Service: interface</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reader"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Keys that are typed in stay in the page's memory; validatorUrl would send the description to another server. */
const START = `SwaggerUIBundle({
  url: new URL('openapi.json', document.location.href).href,
  dom_id: '#reader',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Files of the package that the page needs, with their types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': JAVASCRIPT,
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** A page that shows the description: Swagger UI, served from its package. */
export function docsRoutes(add: AddRoute): void {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const kept = new Map<string, Promise<Buffer>>();
  /** Read once: the table lists few files, the same for everybody. */
  const contentOf = (file: string): Promise<Buffer> => {
    const content = kept.get(file) ?? readFile(path.join(folder, file));
    kept.set(file, content);
    content.catch(() => kept.delete(file));
    return content;
  };
  add(getDocs, async () => ({ text: PAGE, headers: HEADERS }));
  add(getDocsFile, async ({ params: { file } }) => {
    if (file === 'start.js') return { text: START, headers: { ...KEPT, 'content-type': JAVASCRIPT } };
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (type === undefined) throw new Refusal('NOT_FOUND');
    return { bytes: await contentOf(file), headers: { ...KEPT, 'content-type': type } };
  });
}
