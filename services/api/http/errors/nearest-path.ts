import type { RouteContract } from '#schemas/api/contract.ts';
import { nearestName, shownName } from '#schemas/nearest-name.ts';

/** Longer paths are not typos of known ones. */
const MAX_PATH = 120;
const MAX_PARTS = 8;

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
const isParameter = (part: string): boolean => part.startsWith(':');

/** Distance between two paths of the same length; null: too far. */
function distance(known: readonly string[], sent: readonly string[]): number | null {
  if (known.length !== sent.length) return null;
  let far = 0;
  for (const [at, part] of known.entries()) {
    if (isParameter(part) || part === sent[at]) continue;
    if (nearestName(sent[at]!, [part]) === null) return null;
    far += 1;
  }
  return far;
}

type Route = Pick<RouteContract, 'method' | 'path'>;

/**
 * The route that an unknown path probably meant: one with a misspelt segment, with surplus (`/api/v1`) or missing
 * (`/signals`) leading segments, or with a trailing slash. If several match, one with the same method.
 */
export function nearestRoute(routes: readonly Route[], method: string, path: string): Route | null {
  if (path.length > MAX_PATH) return null;
  const sent = partsOf(path);
  if (sent.length === 0 || sent.length > MAX_PARTS) return null;
  const asked = method === 'HEAD' ? 'GET' : method;
  let nearest: { readonly route: Route; readonly far: number } | null = null;
  for (const route of routes) {
    const known = partsOf(route.path);
    // A parameter matches any text, so it says nothing about what was meant.
    const isAlike = known.some((part) => !isParameter(part));
    const extra = sent.length - known.length;
    const compared = distance(extra < 0 ? known.slice(-extra) : known, extra > 0 ? sent.slice(extra) : sent);
    const atEnd = extra < 0 ? known.slice(-extra) : known;
    if (!isAlike || compared === null || atEnd.every(isParameter)) continue;
    const far = compared * 4 + Math.abs(extra) * 3 + (route.method === asked ? 0 : 2);
    if (nearest === null || far < nearest.far) nearest = { route, far };
  }
  return nearest?.route ?? null;
}

/** A path as an error may repeat it; null: it is too long, or a segment may be a secret. */
function shownPath(path: string): string | null {
  if (path.length > MAX_PATH) return null;
  const parts = path.split('/').map(shownName);
  return parts.includes(null) ? null : parts.join('/');
}

/** The message for an unknown path; undefined: no known path is near. */
export function sayNoPath(routes: readonly Route[], method: string, path: string): string | undefined {
  const nearest = nearestRoute(routes, method, path);
  if (nearest === null) return undefined;
  const shown = shownPath(path);
  const missing = shown === null ? '' : `: there is no ${method} ${shown}`;
  return `Not found${missing}. Did you mean ${nearest.method} ${nearest.path}?`;
}
