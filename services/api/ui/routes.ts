import { Refusal } from '#platform/flow/refusal.ts';
import * as contracts from '#schemas/api/ui.ts';
import { takes } from '../http/compressed.ts';
import type { AddRoute, Answer } from '../http/route.ts';
import type { UiFile, UiFiles } from './ui-files.ts';

/**
 * What the page may do: run its own scripts and talk to this server. No text becomes markup (`trusted-types`), and no
 * other site can frame it. Nothing is upgraded to https: the embedded service speaks plain HTTP on loopback.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'Accept-Encoding',
};

/** The page names its scripts by their hashes, so a new release is visible at once. */
const PAGE = { ...HEADERS, 'cache-control': 'no-cache' };
const ASSET = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' };

function answerOf(file: UiFile, accepted: string, headers: Readonly<Record<string, string>>): Answer {
  const typed = { ...headers, 'content-type': file.type };
  if (file.brotli !== null && takes(accepted, 'br'))
    return { bytes: file.brotli, headers: { ...typed, 'content-encoding': 'br' } };
  if (file.gzip !== null && takes(accepted, 'gzip'))
    return { bytes: file.gzip, headers: { ...typed, 'content-encoding': 'gzip' } };
  return { bytes: file.plain, headers: typed };
}

/** The dashboard's page and its files, from memory. */
export function uiRoutes(add: AddRoute, { ui }: { readonly ui?: UiFiles }): void {
  const page = async ({ accepts }: { readonly accepts: { readonly encodings: string } }): Promise<Answer> => {
    if (ui === undefined) throw new Refusal('NOT_FOUND');
    return answerOf(ui.page, accepts.encodings, PAGE);
  };
  add(contracts.getUi, page);
  add(contracts.getUiIndex, page);
  add(contracts.getUiPage, page);
  add(contracts.getUiRecord, page);
  add(contracts.getUiAsset, async ({ params, accepts }) => {
    const file = ui?.assets.get(params.file);
    if (file === undefined) throw new Refusal('NOT_FOUND');
    return answerOf(file, accepts.encodings, ASSET);
  });
}
