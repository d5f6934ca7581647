import { defineVersion } from './definition.ts';
import { flag, nullable, text, textUpTo } from './field-types.ts';

/** A call with an active token of an auditor, including refused ones. Emitted, and final. */
export const AUDITOR_ACCESS_V1 = defineVersion({
  kind: 'AUDITOR_ACCESS',
  v: 1,
  shapes: [
    {
      core: {
        auditorId: text,
        /** The permission that the path requires; null for an unknown path. */
        permission: nullable(text),
        /** Of the operation, with the ids that it names; never another text that somebody sent. */
        path: textUpTo(2_048),
        isAllowed: flag,
      },
      detail: { name: text },
    },
  ],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
