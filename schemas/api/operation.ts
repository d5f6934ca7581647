import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';

export const readiness = z.object({
  status: z.enum(['ready', 'degraded', 'unready']).meta({
    description:
      '`degraded`: requests are accepted, but a check fails; e.g. without the warehouse, audits are accepted and queries return 503. `unready`: the process cannot serve its main purpose.',
  }),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), message: z.string().optional() })),
});
export type Readiness = z.output<typeof readiness>;

const open = { method: 'GET', auth: 'none', successStatus: 200, errors: [] } as const;

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
  anyQuery: true,
  operationId: 'getRoot',
  summary: 'Get links to the documentation',
  tag: 'Health',
  responses: {
    200: root,
    302: root.meta({
      description: 'For clients that accept HTML: redirect to the dashboard.',
    }),
  },
});

export const getLive = defineRoute({
  ...open,
  surfaces: ['client', 'operation'],
  ...endpoints.getLive,
  anyQuery: true,
  operationId: 'getLive',
  summary: 'Check liveness',
  tag: 'Health',
  responses: { 200: z.object({ status: z.literal('live') }) },
});

export const getReady = defineRoute({
  ...open,
  surfaces: ['operation'],
  ...endpoints.getReady,
  anyQuery: true,
  operationId: 'getReady',
  summary: 'Check readiness',
  tag: 'Health',
  responses: { 200: readiness, 503: readiness },
});

export const getMetrics = defineRoute({
  ...open,
  surfaces: ['operation'],
  ...endpoints.getMetrics,
  operationId: 'getMetrics',
  summary: 'Get Prometheus metrics',
  tag: 'Health',
  mediaTypes: ['text/plain; version=0.0.4; charset=utf-8'],
  responses: { 200: z.string() },
});

export const getOpenApi = defineRoute({
  ...open,
  ...endpoints.getOpenApi,
  operationId: 'getOpenApi',
  summary: 'Get this OpenAPI document',
  tag: 'Health',
  responses: { 200: z.looseObject({ openapi: z.literal('3.1.0') }) },
});

export const getOperatorOpenApi = defineRoute({
  ...endpoints.getOperatorOpenApi,
  operationId: 'getOperatorOpenApi',
  summary: 'Get the OpenAPI document for operators',
  description: 'Describes the operations below /internal, readiness, metrics and pages.',
  tag: 'Health',
  auth: 'internal',
  successStatus: 200,
  responses: { 200: z.looseObject({ openapi: z.literal('3.1.0') }) },
  errors: [],
});

export const getDocs = defineRoute({
  ...open,
  ...endpoints.getDocs,
  anyQuery: true,
  operationId: 'getDocs',
  summary: 'Open the API reference',
  tag: 'Pages',
  mediaTypes: ['text/html; charset=utf-8'],
  responses: { 200: z.string() },
});

export const getDocsFile = defineRoute({
  ...open,
  ...endpoints.getDocsFile,
  operationId: 'getDocsFile',
  summary: 'Get a file of the API reference',
  tag: 'Pages',
  params: z.object({ file: z.string() }),
  mediaTypes: ['text/javascript; charset=utf-8', 'text/css; charset=utf-8', 'image/png'],
  responses: { 200: z.string() },
  errors: ['NOT_FOUND'],
});
