import { timeSlice } from '../../../../platform/runtime/time-slice.ts';
import * as contracts from '../../../../schemas/api/sandboxes.ts';
import type { RecordParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import * as useCases from '../../use-cases/sandboxes.ts';

export function sandboxRoutes(add: AddRoute, records: RecordParts): void {
  const parts = { ...records, giveWay: timeSlice(() => performance.now()) };
  add(contracts.createSandbox, ({ caller, body, sent }) =>
    useCases.createSandbox(parts, caller, body, sent.idempotency()),
  );
  add(contracts.listSandboxes, async ({ caller, query }) => ({
    body: await useCases.listSandboxes(parts, caller.customerId, query.includeDeleted, query),
  }));
  add(contracts.getSandbox, async ({ caller, params, query }) => ({
    body: twice(await useCases.readSandbox(parts, caller.customerId, params.id, query.includeDeleted)),
  }));
  add(contracts.updateSandbox, ({ caller, params, body, sent }) =>
    useCases.updateSandbox(parts, caller, params.id, body, sent.idempotency()),
  );
  add(contracts.replaceSandbox, async ({ caller, params, body }) => ({
    body: twice(await useCases.replaceSandbox(parts, caller, params.id, body)),
  }));
  add(contracts.deleteSandbox, async ({ caller, params }) => ({
    body: twice(await useCases.deleteSandbox(parts, caller, params.id)),
  }));
}
