import { recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { changeCorrelationSettings } from '#records/correlations/change-settings.ts';
import { correlationSettings, type SettingsInForce } from '#records/correlations/settings-record.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type {
  CorrelationChange,
  ShownCorrelationSettings,
} from '#schemas/api/evidence/correlation-settings.ts';
import { beyondBudget } from './beyond-budget.ts';
import type { Caller } from './caller.ts';
import type { ApiDependencies, RecordDependencies } from './dependencies.ts';
import type { Once } from './once.ts';

export type SettingsDependencies = RecordDependencies &
  Pick<ApiDependencies, 'announce'> & { readonly makeEntry: EntryMaker };

export const readSettings = async (
  { state }: Pick<SettingsDependencies, 'state'>,
  customerId: string,
): Promise<ShownCorrelationSettings> => shown(await correlationSettings(state.documents, customerId));

/** For a customer that changes its own settings. */
export function updateSettings<Answered>(
  dependencies: SettingsDependencies,
  { customer, actor }: Caller,
  change: CorrelationChange,
  once: Once<ShownCorrelationSettings, Answered>,
): Promise<Answered> {
  return once(async ({ id, at }) => {
    const asked = { changeId: id, at, actor, change };
    const changed = await changedSettings(dependencies, customer, asked);
    // The same answer as for its next request: an erased customer has no keys.
    if (changed === 'ERASED') throw new Refusal('INVALID_KEY');
    return changed;
  });
}

interface Asked {
  /** Id of the request. */
  readonly changeId: string;
  /** ISO 8601. */
  readonly at: string;
  /** The actor; personal. */
  readonly actor: string;
  readonly change: CorrelationChange;
}

/** Changes the settings of a customer, for any caller. */
export async function changedSettings(
  dependencies: SettingsDependencies,
  customer: CustomerRecord,
  { change: { windowMinutes, minSignals, dimensions }, ...asked }: Asked,
): Promise<ShownCorrelationSettings | 'ERASED'> {
  const { state, makeEntry, announce } = dependencies;
  const changed = await changeCorrelationSettings(
    { documents: state.documents, makeEntry, announce },
    {
      ...asked,
      customerId: customer.id,
      budget: recordBudget(customer.plan, customer.sandboxQuota),
      change: {
        ...(windowMinutes === undefined ? {} : { windowMinutes }),
        ...(minSignals === undefined ? {} : { minSignals }),
        ...(dimensions === undefined ? {} : { dimensions }),
      },
    },
  );
  if (changed.ok) return shown(changed.settings);
  if (changed.reason === 'ERASED') return 'ERASED';
  throw beyondBudget(dependencies, customer, changed.exceeded);
}

const shown = ({ dimensions, ...settings }: SettingsInForce): ShownCorrelationSettings => ({
  ...settings,
  dimensions: [...dimensions],
});
