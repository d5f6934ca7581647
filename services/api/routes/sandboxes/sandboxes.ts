import { createSandbox, getSandbox, listSandboxes } from '../../../../schemas/api/sandboxes.ts';
import type { RecordParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { pageOfRecords } from '../../use-cases/paging.ts';
import * as useCases from '../../use-cases/sandboxes.ts';

export function sandboxRoutes(add: AddRoute, parts: RecordParts): void {
  add(createSandbox, ({ caller, body, sent }) =>
    useCases.createSandbox(parts, caller, body, sent.idempotency()),
  );
  add(listSandboxes, async ({ caller, query }) => {
    const all = await useCases.listSandboxes(parts, caller.customerId);
    const { rows, pagination } = pageOfRecords(all, query);
    return { body: { data: rows, pagination } };
  });
  add(getSandbox, async ({ caller, params }) => ({
    body: twice(await useCases.readSandbox(parts, caller.customerId, params.id)),
  }));
}
