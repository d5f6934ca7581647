import { z } from 'zod';
import { column } from './columns.ts';
import { defineVersion } from './definition.ts';
import { listOf, number } from './field-types.ts';
import { signalRule } from './signal.v1.ts';
import { SIGNAL_V3 } from './signal.v3.ts';

const [v3] = SIGNAL_V3.shapes;

/**
 * Version 3 plus the confidence of each detection. Final: it is emitted for signals with matches or suppressed
 * findings; other signals use version 2.
 */
export const SIGNAL_V4 = defineVersion({
  kind: 'SIGNAL',
  v: 4,
  shapes: [
    {
      core: v3.core,
      detail: {
        ...v3.detail,
        confidences: column(listOf(number), {
          sql: 'Array(Float64)',
          blank: [],
          api: z.array(z.number().min(0).max(1)).meta({
            description:
              'highest confidence of each entry of `detections`, in the same order; absent without matches and in signals of earlier releases',
          }),
        }),
      },
    },
  ],
  stored: { core: 'CLOSED', detail: 'CLOSED' },
  rule: signalRule,
});
