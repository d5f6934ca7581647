import { scanPrompt } from '#schemas/api/scan.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { createScanner } from '../../use-cases/scan/scan.ts';

export function guardianRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  const scan = createScanner(dependencies, () => performance.now());
  add(scanPrompt, (call) =>
    scan(call.caller.customerId, call.body, (values) => call.sent.hold(values), call),
  );
}
