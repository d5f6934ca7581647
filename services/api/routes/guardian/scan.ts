import { scanPrompt } from '../../../../schemas/api/scan.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { createScanner } from '../../use-cases/scan.ts';

export function guardianRoutes(add: AddRoute, parts: ApiParts): void {
  const scan = createScanner(parts, () => performance.now());
  add(scanPrompt, ({ caller, body, sent, hasLeft }) => scan(caller.customerId, body, sent.hold, hasLeft));
}
