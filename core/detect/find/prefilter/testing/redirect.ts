import type { ResolveHook } from 'node:module';

const RECORDED = new URL('./recorded.js', import.meta.url).href;

/** Hook of Node's loader. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  const noted = /\/prefilter\/(compile|prefilter)\.js$/.test(resolved.url) && context.parentURL !== RECORDED;
  return noted ? { ...resolved, url: RECORDED } : resolved;
};
