import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '#platform/config/package-root.ts';
import { useGlobals } from './globals.ts';

const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime') as typeof import('jest-runtime');
const root = packageRoot();
const { getBuiltinModule } = process;

/**
 * Loads the compiled test file with Node's own loader, so that its modules stay loaded for the worker's next file.
 * Everything else is jest's: its framework, mocks, timers, results.
 */
export default class NativeRuntime extends Runtime {
  constructor(...args: ConstructorParameters<typeof Runtime>) {
    super(...args);
    // jest's version would return its own modules.
    if (getBuiltinModule !== undefined) process.getBuiltinModule = getBuiltinModule;
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(source: string): Promise<unknown> {
    useGlobals(this.requireModuleOrMock(source, '@jest/globals'));
    return await import(pathToFileURL(compiledTest(source)).href);
  }

  /** jest's framework, evaluated again for each file, as jest does, because it holds that file's tests. */
  override requireInternalModule<T>(file: string): T {
    delete require.cache[file];
    // Not the `require` above, which would keep each one among its children.
    return createRequire(file)(file) as T;
  }
}

function compiledTest(source: string): string {
  const file = path.join(root, 'dist', path.relative(root, source).replace(/\.ts$/, '.js'));
  if (!existsSync(file)) throw new Error(`${source} is not compiled; run "npm run build:test" first`);
  return file;
}
