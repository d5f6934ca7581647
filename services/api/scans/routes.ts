import { scanPrompt } from '#schemas/api/scan.ts';
import type { AddRoute } from '../http/route.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { createScanner } from './scan.ts';

export function guardianRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  const scan = createScanner(dependencies, () => performance.now());
  add(scanPrompt, async (call) => ({
    bytes: await scan(call.caller.customerId, call.body, (values) => call.sent.hold(values), call),
  }));
}
