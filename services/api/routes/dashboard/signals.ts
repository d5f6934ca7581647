import { getSignal, listSignals } from '../../../../schemas/api/signals.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import * as useCases from '../../use-cases/read-signals.ts';

export function signalRoutes(add: AddRoute, parts: useCases.SignalParts): void {
  add(listSignals, async ({ caller, query }) => {
    const { signals, pagination } = await useCases.listSignals(parts, caller.customerId, query);
    return { body: { data: signals, signals, pagination } };
  });
  add(getSignal, async ({ caller, params }) => ({
    body: twice(await useCases.readSignal(parts, caller.customerId, params.id)),
  }));
}
