import { hash as hashShown } from '../api/fields/fields.ts';
import { column } from './columns.ts';
import { defineVersion, type EntryOf } from './definition.ts';
import { hash, nullable } from './field-types.ts';
import { SIGNAL_V1, signalRule } from './signal.v1.ts';

const [v1] = SIGNAL_V1.shapes;

/** Version 1 plus the similarity fingerprint of the prompt (ADR 0050). Final, because it is emitted. */
export const SIGNAL_V2 = defineVersion({
  kind: 'SIGNAL',
  v: 2,
  shapes: [
    {
      core: v1.core,
      detail: {
        ...v1.detail,
        /** Null: the prompt is too short to compare, or the platform created the signal without one. */
        fingerprint: column(nullable(hash), {
          sql: 'Nullable(String)',
          blank: null,
          api: hashShown.nullable().meta({
            description:
              'similarity fingerprint of the prompt: prompts that are nearly the same have most digits in common; \
null when nothing was found, the prompt is too short, or there was none',
          }),
        }),
      },
    },
  ],
  stored: { core: 'CLOSED', detail: 'CLOSED' },
  rule: signalRule,
});

type Signal = EntryOf<typeof SIGNAL_V2>;
export type SignalCore = Signal['core'];
export type SignalDetail = Signal['detail'];
