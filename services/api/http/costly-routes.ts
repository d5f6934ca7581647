import type { RouteContract } from '#schemas/api/contract.ts';
import type { AuditorCaller, Caller } from '../operations/caller.ts';
import type { CostlyWork } from '../operations/limits/costly-work.ts';
import type { AddRoute, Handler } from './route.ts';

/** Routes marked as costly in their contract wait for their customer's turn. */
export function limitCostlyWork(add: AddRoute, work: CostlyWork): AddRoute {
  return <const C extends RouteContract>(contract: C, handler: Handler<C>): void => {
    const { costly } = contract;
    if (costly === undefined) {
      add(contract, handler);
      return;
    }
    if (contract.auth !== 'key' && contract.auth !== 'auditor')
      throw new Error(`${contract.operationId} is expensive and has no customer to queue for`);
    add(contract, (call) => {
      // An auditor's requests take the customer's turns.
      const { customerId, customer } = call.caller as Caller | AuditorCaller;
      return work[costly].during(customerId, { gone: call.gone, plan: customer.plan }, async () => {
        await call.confirmRight();
        return handler(call);
      });
    });
  };
}
