import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';

const PAGE = path.join(packageRoot(), 'services/api/README.md');

/** Method and path of every route on the page; several methods may share a path. */
function routesOfPage(): string[] {
  const table = readFileSync(PAGE, 'utf8').split('## Routes')[1]!.split('\n## ')[0]!;
  const routes: string[] = [];
  let methods: string[] = [];
  for (const [, code] of table.matchAll(/`([^`]{1,200})`/g)) {
    const [, method, route] = /^([A-Z]+)?\s?(\/\S*)?$/.exec(code!) ?? [];
    if (method !== undefined) methods.push(method);
    if (route === undefined) continue;
    routes.push(...methods.map((one) => `${one} ${route}`));
    methods = [];
  }
  return routes.sort();
}

test('services/api/README.md lists exactly the existing routes', () => {
  expect(routesOfPage()).toEqual(ROUTES.map(({ method, path: route }) => `${method} ${route}`).sort());
});
