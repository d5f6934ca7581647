import path from 'node:path';
import { describe, expect, test } from '#jest';
import { circles, filesPerFolder, folderCircles, longFunctions, unusedExports } from './measures.ts';
import { type Module, readModules } from './modules.ts';

const modules = readModules();
const layerOf = (file: string): string => file.split('/')[0] ?? '';
const serviceOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** What each layer may import from the others. Tests may import more, because they connect dependencies. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  schemas: ['schemas'],
  core: ['schemas', 'core'],
  platform: ['schemas', 'platform'],
  records: ['schemas', 'core', 'platform', 'records'],
  detection: ['schemas', 'core', 'platform', 'detection'],
  services: ['schemas', 'core', 'platform', 'records', 'detection', 'services'],
  app: ['schemas', 'core', 'platform', 'records', 'detection', 'services', 'app'],
  cli: ['schemas', 'core', 'platform', 'records', 'services', 'app', 'cli'],
  tuning: ['schemas', 'core', 'tuning'],
  // Shows codes with the dashboard's labels.
  page: ['schemas', 'core', 'page', 'web'],
  web: ['schemas', 'core', 'page', 'web'],
  bench: ['schemas', 'core', 'platform', 'records', 'detection', 'services', 'app', 'cli', 'bench', 'deploy'],
  deploy: ['schemas', 'platform', 'records', 'app', 'deploy'],
};
const own = (name: string): boolean =>
  /^(schemas|core|platform|records|detection|services|app|cli|bench|deploy|tuning|page|web|test)\//.test(
    name,
  );

const offenders = (rule: (module: Module) => string[]): string[] =>
  modules
    .filter(({ isTest }) => !isTest)
    .flatMap((module) => rule(module).map((what) => `${module.file}: ${what}`));

const namesOf = ({ imports }: Pick<Module, 'imports'>): string[] => imports.map(({ from }) => from);

describe('imports', () => {
  test('are read from the sources', () => expect(modules.length).toBeGreaterThan(20));

  test('follow the layers in one direction', () => {
    expect(
      offenders(({ file, imports }) =>
        namesOf({ imports }).filter(
          (name) => own(name) && !(MAY_IMPORT[layerOf(file)] ?? []).includes(layerOf(name)),
        ),
      ),
    ).toEqual([]);
  });

  test('tests and their helpers import jest functions from #jest, which both runners provide', () => {
    const direct = modules.filter((module) => namesOf(module).includes('@jest/globals'));
    expect(direct.map(({ file }) => path.dirname(file))).toEqual(['test/jest', 'test/jest']);
  });

  test('no service imports another', () => {
    expect(
      offenders(({ file, imports }) =>
        layerOf(file) === 'services'
          ? namesOf({ imports }).filter(
              (name) => layerOf(name) === 'services' && serviceOf(name) !== serviceOf(file),
            )
          : [],
      ),
    ).toEqual([]);
  });

  /** The API slice of a file: a folder with its routes, operations and jobs. Null for shared code and the server. */
  const sliceOf = (file: string): string | null => {
    const [, slice] = /^services\/api\/(evidence\/[^/]+|[^/]+)\//.exec(file) ?? [];
    return slice === undefined || ['http', 'operations'].includes(slice) ? null : slice;
  };
  const IS_ROUTES = /(^|-|\/)routes\.ts$/;

  test('no slice of the API imports another, and shared code imports no slice', () => {
    expect(
      offenders(({ file, imports }) =>
        /^services\/api\/.*\//.test(file)
          ? namesOf({ imports }).filter((name) => ![null, sliceOf(file)].includes(sliceOf(name)))
          : [],
      ),
    ).toEqual([]);
  });

  test('only routes and http know HTTP: operations return results or throw refusals', () => {
    const ofHttp = (name: string): boolean => name.startsWith('services/api/http/') || name === 'fastify';
    expect(
      offenders(({ file, text, imports }) =>
        sliceOf(file) === null && !/^(records|services\/api\/operations)\//.test(file)
          ? []
          : IS_ROUTES.test(file)
            ? []
            : [...namesOf({ imports }).filter(ofHttp), ...(text.match(/\bstatusCode\b|\bApiError\b/g) ?? [])],
      ),
    ).toEqual([]);
  });

  /** The stages of detection in order; the code that runs them is above their folders. */
  const STAGES = ['core/detect/read', 'core/detect/find', 'core/detect/judge', 'core/detect/report'];
  const stageOf = (name: string): number => STAGES.findIndex((stage) => name.startsWith(`${stage}/`));

  test('a stage of detection imports only itself and earlier stages', () => {
    expect(
      offenders(({ file, imports }) =>
        stageOf(file) < 0
          ? []
          : namesOf({ imports }).filter(
              (name) =>
                name.startsWith('core/detect/') && (stageOf(name) < 0 || stageOf(name) > stageOf(file)),
            ),
      ),
    ).toEqual([]);
  });

  test('core is pure: no clock, no randomness, no input or output', () => {
    expect(
      offenders(({ file, text, imports }) =>
        layerOf(file) !== 'core'
          ? []
          : [
              ...namesOf({ imports }).filter((name) => name.startsWith('node:') && name !== 'node:crypto'),
              ...(text.match(
                /Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|process\.|performance\./g,
              ) ?? []),
            ],
      ),
    ).toEqual([]);
  });

  /** Main module of a separate process that can be started by hand. */
  const EMBEDDED_SERVER = 'platform/warehouse/embedded/server.ts';
  /** Does not read the environment: tells the bundler what to substitute for it. */
  const BUNDLER_SETTINGS = 'web/build/site-config.ts';

  test('only programs read the environment', () => {
    expect(
      offenders(({ file, text }) =>
        ['cli', 'bench', 'deploy', 'tuning'].includes(layerOf(file)) ||
        file === EMBEDDED_SERVER ||
        file === BUNDLER_SETTINGS
          ? []
          : (text.match(/process\.env\b/g) ?? []),
      ),
    ).toEqual([]);
  });

  test('only the warehouse folder, the tables and the sink’s queries contain SQL', () => {
    expect(
      offenders(({ file, text }) =>
        /^(platform\/warehouse|schemas\/tables|bench|core\/detect\/find\/web|tuning)\//.test(file) ||
        file === 'services/sink/flush/queries.ts'
          ? []
          : (text.match(/\b(SELECT\s[^\n]*\sFROM|INSERT INTO|ALTER TABLE)\b/g) ?? []),
      ),
    ).toEqual([]);
  });
});

describe('layout', () => {
  test('there are no utility folders and no barrels', () => {
    expect(
      modules
        .map(({ file }) => file)
        .filter(
          (file) => /(^|\/)(utils?|common|shared|lib|helpers?)\//.test(file) && !file.startsWith('test/'),
        ),
    ).toEqual([]);
    expect(modules.map(({ file }) => file).filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
  });

  test('no files form an import cycle', () => expect(circles(modules)).toEqual([]));

  test('no folders form an import cycle', () => expect(folderCircles(modules)).toEqual([]));

  /** The tool of that name reads its default export. */
  const READ_BY_TOOLS = ['web/vite.config.ts: default'];

  test('every export is imported somewhere', () =>
    expect(unusedExports(modules).filter((one) => !READ_BY_TOOLS.includes(one))).toEqual([]));

  /** One file per detector, so that a new one is a file and a line. */
  const DETECTORS = 'core/detect/find/detectors';

  test('a folder holds at most twenty source files', () => {
    expect(filesPerFolder(modules).filter(([folder, files]) => files > 20 && folder !== DETECTORS)).toEqual(
      [],
    );
  });

  test('a function has at most seventy lines', () => {
    expect(longFunctions(modules, 70)).toEqual([]);
  });

  test('a file stays under 400 lines', () => {
    expect(
      modules
        .filter(({ text }) => text.split('\n').length > 400)
        .map(({ file, text }) => `${file}: ${text.split('\n').length}`),
    ).toEqual([]);
  });
});
