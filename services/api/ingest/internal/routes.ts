import { submitInternalSignal as contract } from '#schemas/api/internal-signal.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { type InternalSignalDependencies, submitInternalSignal } from './internal-signal.ts';

export function internalSignalRoutes(
  add: AddRoute,
  dependencies: InternalSignalDependencies & Pick<ApiDependencies, 'requests'>,
): void {
  const { requests } = dependencies;
  add(contract, ({ body, sent }) => {
    const submit = () => submitInternalSignal(dependencies, body, sent);
    // The platform calls, so the caller does not show whose audit this appends: that customer's erasure waits for it.
    return requests === undefined ? submit() : requests.during(body.customerId, submit);
  });
}
