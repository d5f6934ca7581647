import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';

/**
 * The dashboard in a browser. Each path is the same page, whose script shows what the path names; no path ends in a
 * wildcard, because an empty parameter is no path.
 */
const page = {
  method: 'GET',
  tag: 'ui',
  auth: 'none',
  successStatus: 200,
  mediaTypes: ['text/html; charset=utf-8'],
  responses: { 200: z.string() },
  errors: ['NOT_FOUND'],
} as const;

export const getUi = defineRoute({
  ...page,
  ...endpoints.getUi,
  operationId: 'getUi',
  summary: 'The dashboard in a browser',
  description:
    'Without a key: its script asks for a sign-in, and calls the other operations with the session.',
});

export const getUiIndex = defineRoute({
  ...page,
  ...endpoints.getUiIndex,
  operationId: 'getUiIndex',
  summary: 'The dashboard in a browser, with the slash that its own links have',
  description: 'The same page as without it.',
});

export const getUiPage = defineRoute({
  ...page,
  ...endpoints.getUiPage,
  operationId: 'getUiPage',
  summary: 'A page of the dashboard',
  description:
    'The same answer as for the dashboard itself: its script shows the page that the address names.',
  params: z.object({ page: z.string() }),
});

export const getUiRecord = defineRoute({
  ...page,
  ...endpoints.getUiRecord,
  operationId: 'getUiRecord',
  summary: 'A page of the dashboard that shows one record',
  description:
    'The same answer as for the dashboard itself: its script asks for the record with the session.',
  params: z.object({
    page: z.string(),
    id: z.string().meta({ description: 'id of the record that the page shows' }),
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
  summary: 'Scripts, styles and pictures of the dashboard',
  description: 'Their names carry a hash of what is in them, so they may be kept for good.',
  params: z.object({ file: z.string() }),
  mediaTypes: Object.values(UI_TYPES),
});
