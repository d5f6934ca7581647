import path from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { licencesOf } from '../../page/build/bundle.ts';

/** Replaces the file in core with the same name, which needs `node:crypto`. */
const NATIVE_CRYPTO = 'page/browser/native-crypto.ts';

/** Replaces core modules that a browser cannot run, like the page inside evidence packages does. */
const forBrowsers = (root: string): Plugin => ({
  name: 'for-browsers',
  enforce: 'pre',
  resolveId: (name) => {
    if (name.endsWith('/native-crypto.ts')) return path.join(root, NATIVE_CRYPTO);
    if (name.startsWith('node:')) throw new Error(`${name} is not there in a browser`);
    return null;
  },
});

/** Adds the licences of everything bundled as a file, which the page names. */
const withLicences: Plugin = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((one) =>
      one.type === 'chunk' ? Object.keys(one.modules) : [],
    );
    // Names of virtual modules start with a zero byte.
    const files = modules.filter((name) => !name.startsWith('\0')).map((name) => name.split('?')[0]!);
    const source = licencesOf(files).join(`\n\n${'-'.repeat(72)}\n\n`);
    this.emitFile({ type: 'asset', name: 'licences.txt', source: `${source}\n` });
  },
};

/** Configuration for building the dashboard and, in development, serving it. `root`: the package's folder. */
export function siteConfig(root: string): InlineConfig {
  return {
    root: path.join(root, 'web'),
    // Files refer to each other relatively: the service's path is only known when it starts.
    base: './',
    configFile: false,
    publicDir: false,
    mode: 'production',
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      conditions: ['cas-source', 'browser', 'production', 'module', 'import', 'default'],
      alias: [{ find: /^#(schemas|core)\//, replacement: `${root}/$1/` }],
    },
    plugins: [forBrowsers(root), withLicences],
    build: {
      target: 'es2023',
      outDir: path.join(root, 'dist', 'web', 'site'),
      emptyOutDir: true,
      // The policy would have to allow images inside scripts separately.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        // A slow machine is no fault of the build.
        checks: { bundlerTimings: false },
        transform: { inject: { Buffer: ['buffer/index.js', 'Buffer'] } },
        onLog: (level, log, report) => {
          // `'use client'` means nothing to a browser bundler.
          if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
          report(level, log);
        },
      },
    },
  };
}
