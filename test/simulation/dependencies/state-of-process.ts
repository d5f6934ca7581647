import { type DocumentRef, type State, StateUnavailable } from '#platform/state/port.ts';
import type { Failures, Network, SimulatedProcess } from '../process.ts';
import type { DurableState } from './state.ts';

const failures: Failures = {
  refused: () => new StateUnavailable('simulated'),
  uncertain: () => new StateUnavailable('simulated'),
};
const unconfirmed = (): StateUnavailable =>
  new StateUnavailable('no replica confirmed a record; only the primary has it');

/** Scope of the records that a call reads; null: none, or known only after reading. */
const SCOPES: Readonly<Record<string, (argument: never) => string>> = {
  'documents.get': ({ scope }: DocumentRef) => scope,
  'documents.list': (scope: string) => scope,
  'documents.pending': ({ scope }: DocumentRef) => scope,
  'admission.takeRate': (customerId: string) => customerId,
  'admission.authenticateSession': (customerId: string) => customerId,
  'admission.reserve': ({ customerId }: { customerId: string }) => customerId,
  'expiring.claim': (key: string) => `claim ${key}`,
  'expiring.claimed': (key: string) => `claim ${key}`,
};

/** The state as seen by one process. */
export function stateOfProcess(durable: DurableState, network: Network, process: SimulatedProcess): State {
  const isConfirmed = async (scope: string | undefined): Promise<boolean> =>
    scope === undefined || durable.isConfirmed(scope) || durable.confirmed();

  /** A write or a read counts only when the replica has the data. */
  async function perform(what: string, args: readonly unknown[], work: () => Promise<unknown>) {
    const [first] = args;
    const scope = SCOPES[what]?.(first as never);
    if (!(await isConfirmed(scope))) throw unconfirmed();
    const result = await work();
    if (what === 'documents.write' || what === 'expiring.claim') {
      durable.recordsWritten(scope ?? (first as string));
      if (!(await durable.confirmed())) throw unconfirmed();
    }
    durable.written();
    if (what === 'admission.authenticate') {
      const { customerId } = result as { customerId?: string };
      if (!(await isConfirmed(customerId))) throw unconfirmed();
    }
    return result;
  }

  const group = <Name extends 'documents' | 'admission' | 'idempotency' | 'expiring'>(name: Name) =>
    new Proxy({} as State[Name], {
      get: (_, method) => {
        const what = `${name}.${String(method)}`;
        return (...args: unknown[]) =>
          network.call(process, 'state', what, failures, () =>
            perform(what, args, () => {
              const target = durable.state[name] as unknown as Record<string, (...of: unknown[]) => never>;
              return target[String(method)]!(...args);
            }),
          );
      },
    });
  return {
    documents: group('documents'),
    admission: group('admission'),
    idempotency: group('idempotency'),
    expiring: group('expiring'),
    connections: () => durable.connections(),
    ping: () => network.call(process, 'state', 'ping', failures, () => durable.state.ping()),
    removeRemains: (...args) =>
      network.call(process, 'state', 'removeRemains', failures, () =>
        perform('removeRemains', args, () => durable.state.removeRemains(...args)),
      ) as Promise<void>,
    scrub: (gone) => network.call(process, 'state', 'scrub', failures, () => durable.state.scrub(gone)),
    close: async () => undefined,
  };
}
