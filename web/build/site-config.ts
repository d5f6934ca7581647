import path from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { licencesOf } from '../../page/build/bundle.ts';

/** Instead of the file of core with the same name, which needs `node:crypto`. */
const NATIVE_CRYPTO = 'page/browser/native-crypto.ts';

/** Modules of core that a browser lacks something for, replaced as the page inside evidence packages does it. */
const forBrowsers = (root: string): Plugin => ({
  name: 'for-browsers',
  enforce: 'pre',
  resolveId: (name) => {
    if (name.endsWith('/native-crypto.ts')) return path.join(root, NATIVE_CRYPTO);
    if (name.startsWith('node:')) throw new Error(`${name} is not there in a browser`);
    return null;
  },
});

/** The licences of everything that was bundled go along as a file, which the page names. */
const withLicences: Plugin = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((one) =>
      one.type === 'chunk' ? Object.keys(one.modules) : [],
    );
    // Names of virtual modules begin with a zero byte.
    const files = modules.filter((name) => !name.startsWith('\0')).map((name) => name.split('?')[0]!);
    const source = licencesOf(files).join(`\n\n${'-'.repeat(72)}\n\n`);
    this.emitFile({ type: 'asset', name: 'licences.txt', source: `${source}\n` });
  },
};

/** How the dashboard is built and, in development, served. `root`: the package's folder. */
export function siteConfig(root: string): InlineConfig {
  return {
    root: path.join(root, 'web'),
    // Files name each other relatively: under which path the service is, its start knows.
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
      // A picture inside a script would be one more place that the policy has to allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        transform: { inject: { Buffer: ['buffer/index.js', 'Buffer'] } },
        onLog: (level, log, report) => {
          // `'use client'` says nothing to a bundler of browsers.
          if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
          report(level, log);
        },
      },
    },
  };
}
