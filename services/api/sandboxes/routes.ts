import { timeSlice } from '#platform/flow/time-slice.ts';
import * as contracts from '#schemas/api/sandboxes.ts';
import { changed, envelope, made } from '../http/envelopes.ts';
import { onceOf } from '../http/idempotently.ts';
import type { AddRoute } from '../http/route.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { listSandboxVersions, readSandboxVersion, type VersionDependencies } from './sandbox-versions.ts';
import * as operations from './sandboxes.ts';

export function sandboxRoutes(add: AddRoute, records: RecordDependencies & VersionDependencies): void {
  const dependencies = { ...records, yieldTurn: timeSlice(() => performance.now()) };
  const once = onceOf(dependencies);
  add(contracts.createSandbox, ({ caller, body, sent }) =>
    operations.createSandbox(dependencies, caller, body, once(caller.customerId, sent, made)),
  );
  add(contracts.listSandboxes, async ({ caller, query }) => ({
    body: await operations.listSandboxes(dependencies, caller.customerId, query.includeDeleted, query),
  }));
  add(contracts.getSandbox, async ({ caller, params, query }) => ({
    body: envelope(
      await operations.readSandbox(dependencies, caller.customerId, params.id, query.includeDeleted),
    ),
  }));
  add(contracts.listSandboxVersions, async ({ caller, params, query }) => ({
    body: await listSandboxVersions(dependencies, caller.customerId, params.id, query),
  }));
  add(contracts.getSandboxVersion, async ({ caller, params }) => ({
    body: envelope(await readSandboxVersion(dependencies, caller.customerId, params.id, params.version)),
  }));
  add(contracts.updateSandbox, ({ caller, params, body, sent }) =>
    operations.updateSandbox(dependencies, caller, params.id, body, once(caller.customerId, sent, changed)),
  );
  add(contracts.replaceSandbox, async ({ caller, params, body }) => ({
    body: envelope(await operations.replaceSandbox(dependencies, caller, params.id, body)),
  }));
  add(contracts.deleteSandbox, async ({ caller, params }) => ({
    body: envelope(await operations.deleteSandbox(dependencies, caller, params.id)),
  }));
}
