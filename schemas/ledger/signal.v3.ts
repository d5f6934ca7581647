import { z } from 'zod';
import { DETECTOR_NAMES } from '../detector-names.ts';
import { ENTITY_TYPES, SUPPRESSION_REASONS, VIOLATION_CODES } from '../vocabulary.ts';
import { column } from './columns.ts';
import { defineVersion } from './definition.ts';
import { count, type FieldType, listOf, objectOf, text } from './field-types.ts';
import { signalRule } from './signal.v1.ts';
import { SIGNAL_V2 } from './signal.v2.ts';

const [v2] = SIGNAL_V2.shapes;

/** One line per (reason, detector, code, type); never contains a value. */
const suppression = objectOf({ reason: text, detector: text, code: text, count }, { type: text });
export type Suppression = typeof suppression extends FieldType<infer Value> ? Value : never;

export const suppressionShown = z
  .object({
    reason: z.enum(SUPPRESSION_REASONS).meta({
      description:
        'setting of the sandbox: `allowedValues`, `allowedCidrs`, `allowedPatterns`, `detectorsOff` or `minConfidence`',
    }),
    detector: z.string().meta({ examples: [DETECTOR_NAMES[0]] }),
    code: z.string().meta({ description: 'the violation', examples: [VIOLATION_CODES[0]] }),
    type: z
      .string()
      .optional()
      .meta({
        description: 'entity type of the value; absent for phrases',
        examples: [ENTITY_TYPES[0]],
      }),
    count: z.int(),
  })
  .meta({ id: 'Suppression' });

/**
 * Version 2 plus the findings that the sandbox's settings suppressed. Final: earlier releases emitted it for signals
 * with suppressed findings.
 */
export const SIGNAL_V3 = defineVersion({
  kind: 'SIGNAL',
  v: 3,
  shapes: [
    {
      core: v2.core,
      detail: {
        ...v2.detail,
        suppressed: column(listOf(suppression), {
          sql: 'String',
          storedAs: 'JSON',
          blank: [],
          api: z.array(suppressionShown).meta({
            description:
              "number of matches suppressed by the sandbox's settings, by setting; empty or absent if there are none",
          }),
        }),
      },
    },
  ],
  stored: { core: 'CLOSED', detail: 'CLOSED' },
  rule: signalRule,
});
