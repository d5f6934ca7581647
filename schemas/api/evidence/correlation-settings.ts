import { z } from 'zod';
import {
  MAX_MIN_SIGNALS,
  MAX_WINDOW_MINUTES,
  MIN_SIGNALS_FLOOR,
  MIN_WINDOW_MINUTES,
} from '../../correlation-bounds.ts';
import * as endpoints from '../../endpoints.ts';
import { CORRELATION_DIMENSIONS, type CorrelationDimension } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { isoTime } from '../fields/fields.ts';

/** Correlation settings shared by runs over history and by streaming correlation. */

export const dimension = z.enum(CORRELATION_DIMENSIONS);
export const windowMinutes = z.int().min(MIN_WINDOW_MINUTES).max(MAX_WINDOW_MINUTES);
export const minSignals = z.int().min(MIN_SIGNALS_FLOOR).max(MAX_MIN_SIGNALS);
export const dimensionList = z.array(dimension).min(1).max(CORRELATION_DIMENSIONS.length);

/** Removes duplicates and normalizes the order. */
export const inOrder = (named: readonly CorrelationDimension[]): CorrelationDimension[] =>
  CORRELATION_DIMENSIONS.filter((one) => named.includes(one));

const WINDOWS = 'window length for BURST and CROSS_SANDBOX; other types have a fixed length';
const MIN = 'minimum number of signals of a pattern';
const TOLD_APART = 'dimensions to group signals by';

/** Absent fields are unchanged. */
export const correlationChange = z
  .object({
    windowMinutes: windowMinutes.meta({ description: WINDOWS }),
    minSignals: minSignals.meta({ description: MIN }),
    dimensions: dimensionList.transform(inOrder).meta({ description: TOLD_APART }),
  })
  .partial();
export type CorrelationChange = z.output<typeof correlationChange>;

/** The settings in effect. */
export const correlationInForce = z.object({
  windowMinutes: windowMinutes.meta({ description: WINDOWS }),
  minSignals: minSignals.meta({ description: MIN }),
  dimensions: z.array(dimension).meta({ description: TOLD_APART }),
});

const correlationSettings = correlationInForce
  .extend({
    version: z.int().nonnegative().meta({ description: 'increases with each change; 0: default settings' }),
    updatedAt: isoTime.nullable(),
  })
  .meta({ id: 'CorrelationSettings' });
export type ShownCorrelationSettings = z.output<typeof correlationSettings>;

const answer = z.object({ success: z.literal(true), data: correlationSettings });

export const getCorrelationSettings = defineRoute({
  ...endpoints.getCorrelationSettings,
  operationId: 'getCorrelationSettings',
  summary: 'Get pattern settings',
  description:
    'Settings for detection in real time. Scans of history have their own settings in the request.',
  tag: 'Patterns',
  auth: 'key',
  successStatus: 200,
  responses: { 200: answer },
  errors: [],
});

export const updateCorrelationSettings = defineRoute({
  ...endpoints.updateCorrelationSettings,
  operationId: 'updateCorrelationSettings',
  summary: 'Update pattern settings',
  description:
    'Changes only the fields in the body. Each change is recorded in the ledger and applies to new signals. A different window length closes open windows.',
  tag: 'Patterns',
  auth: 'key',
  body: correlationChange,
  idempotent: true,
  successStatus: 200,
  responses: { 200: answer },
  errors: ['SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});
