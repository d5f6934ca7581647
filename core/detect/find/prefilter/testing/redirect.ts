import type { ResolveHook } from 'node:module';

const RECORDED = new URL('./recorded.js', import.meta.url).href;

/** Module resolution hook for Node. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  const isRecorded =
    /\/prefilter\/(compile|prefilter)\.js$/.test(resolved.url) && context.parentURL !== RECORDED;
  return isRecorded ? { ...resolved, url: RECORDED } : resolved;
};
