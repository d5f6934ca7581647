import { describe, expect, test } from '#jest';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { PAGES } from '../../web/src/address/pages.ts';
import { readModules } from './modules.ts';
import { segmentsOf, typedPaths } from './typed-paths.ts';

const SEGMENTS = segmentsOf(ROUTES);

/** Addresses of the dashboard's own pages; some have the same name as the API path of their content. */
const OWN_PAGES: readonly string[] = [...PAGES.map(({ path }) => path), '/auditor'];

const isOwnPage = (file: string, path: string): boolean =>
  file.startsWith('web/') && OWN_PAGES.includes(path.split(/[?#]/, 1)[0]!);

test('web and cli take API paths from the contracts', () => {
  const typed = readModules()
    .filter(({ file, isTest }) => /^(web|cli)\//.test(file) && !isTest)
    .flatMap(({ file, text }) =>
      typedPaths(file, text, SEGMENTS)
        .filter((path) => !isOwnPage(file, path))
        .map((path) => `${file}: ${path}`),
    );
  expect(typed).toEqual([]);
});

describe('the typed-path rule', () => {
  test.each([
    ["client.request('GET', '/evidence/hash-chain/keys')", '/evidence/hash-chain/keys'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template
    ['fetch(`${url}/audits?limit=1`)', '/audits?limit=1'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template
    ['const path = `/sandboxes/${id}`', '/sandboxes/'],
    ["print('try GET /audits/1 again')", '/audits/1'],
    ['const a = <code>/audit/ingest</code>', '/audit/ingest'],
  ])('finds a path in %s', (source, path) => {
    expect(typedPaths('a.tsx', source, SEGMENTS)).toEqual([path]);
  });

  test.each([
    "import a from '../audits/a.ts'",
    "const a = '/auditions'",
    '// GET /audits',
    "f('/ui/audits')",
    "print('the secret of /internal')",
  ])('finds no path in %s', (source) => expect(typedPaths('a.tsx', source, SEGMENTS)).toEqual([]));

  test('allows the dashboard’s own pages, but not the paths below them', () => {
    expect(isOwnPage('web/src/a.tsx', '/audits?status=FAILED')).toBe(true);
    expect(isOwnPage('web/src/a.tsx', '/audits/1')).toBe(false);
    expect(isOwnPage('cli/a.ts', '/audits')).toBe(false);
  });
});
