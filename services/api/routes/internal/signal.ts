import { submitInternalSignal as contract } from '../../../../schemas/api/internal-signal.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { type InternalSignalParts, submitInternalSignal } from '../../use-cases/internal-signal.ts';

export function internalSignalRoutes(add: AddRoute, parts: InternalSignalParts): void {
  add(contract, ({ body, sent }) => submitInternalSignal(parts, body, sent));
}
