import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';

/**
 * The dashboard in a browser. Each path returns the same page, whose script shows what the path names. No path ends in
 * a wildcard, because an empty parameter is not a path.
 */
const page = {
  method: 'GET',
  tag: 'Pages',
  auth: 'none',
  anyQuery: true,
  successStatus: 200,
  mediaTypes: ['text/html; charset=utf-8'],
  responses: { 200: z.string() },
  errors: ['NOT_FOUND'],
} as const;

export const getUi = defineRoute({
  ...page,
  ...endpoints.getUi,
  operationId: 'getUi',
  summary: 'Open the dashboard',
  description: 'Needs no key: the page asks the user to sign in and calls the API with the session.',
  tag: 'Pages',
});

export const getUiIndex = defineRoute({
  ...page,
  ...endpoints.getUiIndex,
  operationId: 'getUiIndex',
  summary: 'Open the dashboard (trailing slash)',
  description: 'Returns the same page as without the slash.',
  tag: 'Pages',
});

export const getUiPage = defineRoute({
  ...page,
  ...endpoints.getUiPage,
  operationId: 'getUiPage',
  summary: 'Open a page of the dashboard',
  description: 'Returns the same document as the dashboard; its script shows the page named in the URL.',
  tag: 'Pages',
  params: z.object({ page: z.string() }),
});

export const getUiRecord = defineRoute({
  ...page,
  ...endpoints.getUiRecord,
  operationId: 'getUiRecord',
  summary: 'Open a record in the dashboard',
  description: 'Returns the same document as the dashboard; its script loads the record with the session.',
  tag: 'Pages',
  params: z.object({
    page: z.string(),
    id: z.string().meta({ description: 'id of the record to show' }),
  }),
});

export const UI_TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
} as const;

export const getUiAsset = defineRoute({
  ...page,
  ...endpoints.getUiAsset,
  operationId: 'getUiAsset',
  summary: 'Get a file of the dashboard',
  description: 'File names contain a hash of their content, so they can be cached permanently.',
  tag: 'Pages',
  params: z.object({ file: z.string() }),
  mediaTypes: Object.values(UI_TYPES),
});
