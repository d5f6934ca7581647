import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';

export const readiness = z.object({
  status: z.enum(['ready', 'degraded', 'unready']).meta({
    description:
      '`degraded`: it takes requests, but a check fails; without the warehouse, for example, audits are accepted and queries answer 503. `unready`: it cannot do its first duty',
  }),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), message: z.string().optional() })),
});
export type Readiness = z.output<typeof readiness>;

const open = { method: 'GET', tag: 'operation', auth: 'none', successStatus: 200, errors: [] } as const;

const root = z.object({
  name: z.string(),
  openapi: z.string(),
  docs: z.string(),
  ui: z.string(),
  health: z.string(),
});

export const getRoot = defineRoute({
  ...open,
  ...endpoints.getRoot,
  operationId: 'getRoot',
  summary: 'Where to find what',
  responses: {
    200: root,
    302: root.meta({
      description: 'To a client that takes HTML, as browsers do: the dashboard is at `Location`.',
    }),
  },
});

export const getLive = defineRoute({
  ...open,
  surfaces: ['client', 'operation'],
  ...endpoints.getLive,
  operationId: 'getLive',
  summary: 'The process turns over',
  responses: { 200: z.object({ status: z.literal('live') }) },
});

export const getReady = defineRoute({
  ...open,
  surfaces: ['operation'],
  ...endpoints.getReady,
  operationId: 'getReady',
  summary: 'Whether the process takes requests, and which checks fail',
  responses: { 200: readiness, 503: readiness },
});

export const getMetrics = defineRoute({
  ...open,
  surfaces: ['operation'],
  ...endpoints.getMetrics,
  operationId: 'getMetrics',
  summary: 'Metrics in the text format of Prometheus',
  mediaTypes: ['text/plain; version=0.0.4; charset=utf-8'],
  responses: { 200: z.string() },
});

export const getOpenApi = defineRoute({
  ...open,
  ...endpoints.getOpenApi,
  operationId: 'getOpenApi',
  summary: 'This description',
  responses: { 200: z.looseObject({ openapi: z.literal('3.1.0') }) },
});

export const getDocs = defineRoute({
  ...open,
  ...endpoints.getDocs,
  operationId: 'getDocs',
  summary: 'A page to read this description on, and to try requests from',
  mediaTypes: ['text/html; charset=utf-8'],
  responses: { 200: z.string() },
});

export const getDocsFile = defineRoute({
  ...open,
  ...endpoints.getDocsFile,
  operationId: 'getDocsFile',
  summary: 'Scripts, styles and pictures of that page',
  params: z.object({ file: z.string() }),
  mediaTypes: ['text/javascript; charset=utf-8', 'text/css; charset=utf-8', 'image/png'],
  responses: { 200: z.string() },
  errors: ['NOT_FOUND'],
});
