import { describe, expect, test } from '@jest/globals';
import { readSources, type SourceFile } from './sources.ts';

const sources = readSources();
const isTest = (file: string): boolean =>
  /\.test\.ts$|\/testing\/|(^|\/)contract\.ts$|\.contract\.ts$|^test\//.test(file);
const layerOf = (file: string): string => file.split('/')[0] ?? '';
const serviceOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** What each layer may import of ours. Tests may import more, because they join parts. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  schemas: ['schemas'],
  core: ['schemas', 'core'],
  platform: ['schemas', 'platform'],
  services: ['schemas', 'core', 'platform', 'services'],
  cli: ['schemas', 'core', 'platform', 'services', 'cli'],
  tuning: ['schemas', 'core', 'tuning'],
  bench: ['schemas', 'core', 'platform', 'services', 'cli', 'bench', 'deploy'],
  deploy: ['schemas', 'platform', 'deploy'],
};
const own = (name: string): boolean =>
  /^(schemas|core|platform|services|cli|bench|deploy|tuning|test)\//.test(name);

const offenders = (rule: (source: SourceFile) => string[]): string[] =>
  sources
    .filter(({ file }) => !isTest(file))
    .flatMap((source) => rule(source).map((what) => `${source.file}: ${what}`));

describe('imports', () => {
  test('the sources are found', () => expect(sources.length).toBeGreaterThan(20));

  test('arrows point one way', () => {
    expect(
      offenders(({ file, imports }) =>
        imports.filter((name) => own(name) && !(MAY_IMPORT[layerOf(file)] ?? []).includes(layerOf(name))),
      ),
    ).toEqual([]);
  });

  test('no service imports another', () => {
    expect(
      offenders(({ file, imports }) =>
        layerOf(file) === 'services'
          ? imports.filter((name) => layerOf(name) === 'services' && serviceOf(name) !== serviceOf(file))
          : [],
      ),
    ).toEqual([]);
  });

  test('core is pure: no clock, no randomness, no input or output', () => {
    expect(
      offenders(({ file, text, imports }) =>
        layerOf(file) !== 'core'
          ? []
          : [
              ...imports.filter((name) => name.startsWith('node:') && name !== 'node:crypto'),
              ...(text.match(
                /Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|process\.|performance\./g,
              ) ?? []),
            ],
      ),
    ).toEqual([]);
  });

  /** Main module of a process of its own, which can be started by hand. */
  const EMBEDDED_SERVER = 'platform/warehouse/embedded-server.ts';

  test('the environment is read by programs alone, never by what they are made of', () => {
    expect(
      offenders(({ file, text }) =>
        ['cli', 'bench', 'deploy', 'tuning'].includes(layerOf(file)) || file === EMBEDDED_SERVER
          ? []
          : (text.match(/process\.env\b/g) ?? []),
      ),
    ).toEqual([]);
  });

  test('SQL stands in the warehouse’s folder, the tables and the sink’s queries alone', () => {
    expect(
      offenders(({ file, text }) =>
        /^(platform\/warehouse|schemas\/tables|bench|core\/detect\/web|tuning)\//.test(file) ||
        file === 'services/sink/queries.ts'
          ? []
          : (text.match(/\b(SELECT\s[^\n]*\sFROM|INSERT INTO|ALTER TABLE)\b/g) ?? []),
      ),
    ).toEqual([]);
  });
});

describe('layout', () => {
  test('no drawer folders and no barrels', () => {
    expect(
      sources
        .map(({ file }) => file)
        .filter(
          (file) => /(^|\/)(utils?|common|shared|lib|helpers?)\//.test(file) && !file.startsWith('test/'),
        ),
    ).toEqual([]);
    expect(sources.map(({ file }) => file).filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
  });

  test('a file stays under 400 lines', () => {
    expect(
      sources
        .filter(({ text }) => text.split('\n').length > 400)
        .map(({ file, text }) => `${file}: ${text.split('\n').length}`),
    ).toEqual([]);
  });
});
