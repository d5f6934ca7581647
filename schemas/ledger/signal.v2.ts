import { hash as hashShown } from '../api/fields/fields.ts';
import { column } from './columns.ts';
import { defineVersion } from './definition.ts';
import { hash } from './field-types.ts';
import { SIGNAL_V1, signalRule } from './signal.v1.ts';

const [v1] = SIGNAL_V1.shapes;

/** Version 1 plus new fields. All readers know it, nothing emits it yet; until then it may change. */
export const SIGNAL_V2 = defineVersion({
  kind: 'SIGNAL',
  v: 2,
  shapes: [
    {
      core: v1.core,
      detail: {
        ...v1.detail,
        fingerprint: column(hash, {
          sql: 'Nullable(String)',
          blank: null,
          api: hashShown.nullable().meta({ description: 'signals of texts that are alike have the same' }),
        }),
      },
    },
  ],
  stored: { core: 'CLOSED', detail: 'CLOSED' },
  rule: signalRule,
});
