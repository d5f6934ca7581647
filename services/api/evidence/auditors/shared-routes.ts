import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import { createSharedAuditor, revokeSharedAuditor } from '#schemas/api/evidence/auditors/auditors.ts';
import { envelope } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import * as operations from './manage-auditors.ts';

/** A repeated request does not see the token. */
const issued = <Shown extends object>({ auditor, token }: operations.Issued<Shown>) =>
  token === null
    ? { shown: envelope(auditor) }
    : { shown: envelope({ ...auditor, token }), remembered: envelope(auditor) };

export function sharedAuditorRoutes(add: AddRoute, dependencies: operations.ManageDependencies): void {
  const once = onceOf(dependencies);
  add(createSharedAuditor, ({ body, sent }) =>
    operations.createSharedAuditor(dependencies, body, once(SYSTEM_SCOPE, sent, issued)),
  );
  add(revokeSharedAuditor, async ({ params }) => ({
    body: envelope(await operations.revokeSharedAuditor(dependencies, params.id)),
  }));
}
