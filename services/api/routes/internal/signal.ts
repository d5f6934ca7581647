import { submitInternalSignal as contract } from '../../../../schemas/api/internal-signal.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { type InternalSignalParts, submitInternalSignal } from '../../use-cases/internal-signal.ts';

export function internalSignalRoutes(
  add: AddRoute,
  parts: InternalSignalParts & Pick<ApiParts, 'requests'>,
): void {
  const { requests } = parts;
  add(contract, ({ body, sent }) => {
    const submit = () => submitInternalSignal(parts, body, sent);
    // The platform calls, so nobody knows from the caller whose audit this appends: that customer's erasure waits for it.
    return requests === undefined ? submit() : requests.during(body.customerId, submit);
  });
}
