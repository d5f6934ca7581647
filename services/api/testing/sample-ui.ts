import type { UiFile, UiFiles } from '../ui/ui-files.ts';

const fileOf = (type: string, text: string): UiFile => ({
  type,
  plain: Buffer.from(text),
  brotli: null,
  gzip: null,
});

/** In the place of the built dashboard, which tests of the API do without. Its script has the name of the description's example. */
export const SAMPLE_UI: UiFiles = {
  page: fileOf('text/html; charset=utf-8', '<!doctype html><title>dashboard</title>'),
  assets: new Map([['index-Bx3Kq9aT.js', fileOf('text/javascript; charset=utf-8', "'use strict';")]]),
};
