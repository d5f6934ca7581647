import path from 'node:path';
import { defineConfig } from 'vite';
import { siteConfig } from './build/site-config.ts';

/** `npm run dev -w web`: the page from its sources, and everything else from a running service. */
const SERVICE = 'http://127.0.0.1:8080';

const config = siteConfig(path.resolve(import.meta.dirname, '..'));

export default defineConfig({
  ...config,
  base: '/ui/',
  mode: 'development',
  define: {},
  server: { host: '127.0.0.1', proxy: { '^/(?!ui/)': { target: SERVICE } } },
});
