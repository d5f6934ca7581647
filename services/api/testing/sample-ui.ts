import type { UiFile, UiFiles } from '../ui/ui-files.ts';

const fileOf = (type: string, text: string): UiFile => ({
  type,
  plain: Buffer.from(text),
  brotli: null,
  gzip: null,
});

/**
 * Replaces the built dashboard, which tests of the API do not need. Its script is named as in the description's
 * example.
 */
export const SAMPLE_UI: UiFiles = {
  page: fileOf('text/html; charset=utf-8', '<!doctype html><title>dashboard</title>'),
  assets: new Map([['index-Bx3Kq9aT.js', fileOf('text/javascript; charset=utf-8', "'use strict';")]]),
};
