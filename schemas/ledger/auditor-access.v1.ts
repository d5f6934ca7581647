import { defineVersion } from './definition.ts';
import { flag, nullable, text, textUpTo } from './field-types.ts';

/** A call with an auditor's active token, including refused calls. Final, because it is emitted. */
export const AUDITOR_ACCESS_V1 = defineVersion({
  kind: 'AUDITOR_ACCESS',
  v: 1,
  shapes: [
    {
      core: {
        auditorId: text,
        /** The permission that the path requires; null for an unknown path. */
        permission: nullable(text),
        /** The operation's path with the ids that it names; never other text that a client sent. */
        path: textUpTo(2_048),
        isAllowed: flag,
      },
      detail: { name: text },
    },
  ],
  stored: { core: 'OBJECTS', detail: 'OBJECTS' },
});
