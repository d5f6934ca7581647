import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import { type AcceptedSignal, submitInternalSignal as contract } from '#schemas/api/internal-signal.ts';
import { envelope } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { Made } from '../../operations/once.ts';
import { type InternalSignalDependencies, submitInternalSignal } from './internal-signal.ts';

/** The first request creates the signal; the others find it. */
export const storedSignal = ({ data, isNew }: Made<AcceptedSignal>) => ({
  statusCode: isNew ? 201 : 200,
  shown: envelope(data),
});

export function internalSignalRoutes(
  add: AddRoute,
  dependencies: InternalSignalDependencies & Pick<ApiDependencies, 'requests'>,
): void {
  const { requests } = dependencies;
  const once = onceOf(dependencies);
  add(contract, ({ body, sent }) => {
    const submit = () =>
      submitInternalSignal(
        dependencies,
        body,
        () => sent.canonical(),
        once(SYSTEM_SCOPE, sent, storedSignal),
      );
    // The caller is the platform and does not show whose audit this appends: that customer's erasure waits for it.
    return requests === undefined ? submit() : requests.during(body.customerId, submit);
  });
}
