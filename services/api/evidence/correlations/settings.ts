import { recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { changeCorrelationSettings } from '#records/correlations/change-settings.ts';
import { correlationSettings, type SettingsInForce } from '#records/correlations/settings-record.ts';
import type { CustomerRecord } from '#records/documents/records.ts';
import type {
  CorrelationChange,
  ShownCorrelationSettings,
} from '#schemas/api/evidence/correlation-settings.ts';
import type { Caller } from '../../http/authentication/authentication.ts';
import { idempotently } from '../../http/idempotently.ts';
import type { Answer } from '../../http/route.ts';
import { beyondBudget } from '../../operations/beyond-budget.ts';
import type { ApiDependencies, RecordDependencies } from '../../operations/dependencies.ts';
import { newSeed } from '../../operations/ids.ts';

export type SettingsDependencies = RecordDependencies &
  Pick<ApiDependencies, 'announce'> & { readonly makeEntry: EntryMaker };

export const readSettings = async (
  { state }: Pick<SettingsDependencies, 'state'>,
  customerId: string,
): Promise<ShownCorrelationSettings> => shown(await correlationSettings(state.documents, customerId));

/** A customer changes its own. */
export function updateSettings(
  dependencies: SettingsDependencies,
  { customerId, customer, actor }: Caller,
  change: CorrelationChange,
  key: IdempotencyKey | null,
): Promise<Answer> {
  return idempotently(dependencies, customerId, key, newSeed(dependencies), async ({ id, at }) => {
    const asked = { changeId: id, at, actor, change };
    const changed = await changedSettings(dependencies, customer, asked);
    // As its next request is told: an erased customer has no keys.
    if (changed === 'ERASED') throw new Refusal('INVALID_KEY');
    return { shown: { success: true, data: changed }, statusCode: 200 };
  });
}

interface Asked {
  /** Id of the request. */
  readonly changeId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Who asks for it; personal. */
  readonly actor: string;
  readonly change: CorrelationChange;
}

/** The settings of a customer after a change, whoever asked for it. */
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
