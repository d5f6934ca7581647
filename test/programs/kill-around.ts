import type { RoleName } from '#platform/config/roles.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { Dependencies, StoringDependencies } from '#platform/process/dependencies.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { Documents } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { INCIDENTS } from '#records/incidents/incident-record.ts';
import { POLICY_PROGRESS } from '#records/policies/enforcement-records.ts';
import { CORRELATION_SNAPSHOTS } from '#schemas/tables/tables.ts';
import { CORRELATIONS } from '#schemas/topics.ts';
import { instead } from './instead.ts';

/** A role's dependencies, which pass named points before and after the calls that tests kill around. */
export function killAround<Of extends Dependencies>(role: RoleName, dependencies: Of, probe: Probe): Of {
  const { state } = dependencies;
  const around = {
    ...dependencies,
    log: killingLog(role, dependencies.log, probe),
    state: instead(state, { documents: killingDocuments(role, state.documents, probe) }),
  };
  const { warehouse } = dependencies as Partial<StoringDependencies>;
  if (role !== 'correlator' || warehouse === undefined) return around;
  return { ...around, warehouse: killingWarehouse(warehouse, probe) };
}

/**
 * Points around the commits of every group, around an analyzer's forwarded records, and after a correlator's findings.
 */
function killingLog(role: RoleName, log: EventLog, probe: Probe): EventLog {
  return instead(log, {
    append: async (records) => {
      if (role === 'analyzer') probe('analyzer.before-forward');
      const appended = await log.append(records);
      if (role === 'analyzer') probe('analyzer.after-forward');
      if (records[0]?.topic === CORRELATIONS.name) probe('correlator.findings-appended');
      return appended;
    },
    consume: async (options) => {
      const consumer = await log.consume(options);
      return instead(consumer, {
        commit: async (...position) => {
          probe(`${options.group}.before-commit`);
          await consumer.commit(...position);
          probe(`${options.group}.after-commit`);
        },
      });
    },
  });
}

/** Points around a correlator's writes, and where appended outbox records are still pending. */
function killingDocuments(role: RoleName, documents: Documents, probe: Probe): Documents {
  const written: Readonly<Record<string, string>> = {
    [INCIDENTS]: 'incident',
    [POLICY_PROGRESS]: 'progress',
  };
  return instead(documents, {
    write: async (scope, writes, claims) => {
      const names = writes.map(({ collection }) => written[collection]).filter((name) => name !== undefined);
      const name = role === 'correlator' ? names[0] : undefined;
      if (name !== undefined) probe(`policies.before-${name}`);
      const outcome = await documents.write(scope, writes, claims);
      if (name !== undefined) probe(`policies.after-${name}`);
      return outcome;
    },
    clearPending: (...entries) => {
      probe(`${role === 'correlator' ? 'policies' : role}.outbox-appended`);
      return documents.clearPending(...entries);
    },
  });
}

function killingWarehouse(warehouse: Warehouse, probe: Probe): Warehouse {
  return instead(warehouse, {
    insert: async (table, ...rows) => {
      await warehouse.insert(table, ...rows);
      if (table === CORRELATION_SNAPSHOTS.name) probe('correlator.snapshots-stored');
    },
  });
}
