import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createClient } from '../../cli/command/client.ts';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, triplet } from '../helpers/customer.ts';
import { type DistributedService, startDistributed } from '../helpers/distributed.ts';
import { eventually } from '../helpers/eventually.ts';
import { type LeastRights, startLeastRights } from '../helpers/least-rights.ts';
import { describeOnStack } from '../helpers/stack.ts';
import { describeSpine } from './spine.scenario.ts';

/** Every role with its own rights in ClickHouse and Redis: only what the role needs. */

const startSetUp = async () => {
  const servers = await startLeastRights();
  return {
    start: () => startDistributed({ ...servers, analyzers: 1, sinks: 1 }),
    dispose: servers.stop,
  };
};

describeOnStack('roles with least privileges', () => {
  describeSpine('least rights', startSetUp);

  describe('an erasure and operator commands with least privileges', () => {
    let servers: LeastRights;
    let service: DistributedService;
    beforeAll(async () => {
      servers = await startLeastRights();
      service = await startDistributed({ ...servers, analyzers: 1, sinks: 1 });
    }, 120_000);
    afterAll(async () => {
      await service?.killTree();
      await servers?.stop();
    });

    test('a customer is completely erased', async () => {
      const customer = await makeCustomer(service, 'Leaving Ltd');
      await makeSandbox(customer.client, 'leaving');
      for (let number = 0; number < 3; number += 1)
        await customer.client.request('POST', '/audit/ingest', triplet('leaving', number));
      const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
      await internal.request('DELETE', `/internal/customers/${customer.id}`);
      await eventually('the erasure is complete', 90_000, async () => {
        const { body } = await internal.request('GET', `/internal/customers/${customer.id}`);
        return (body.erasure as unknown as { status: string }).status === 'COMPLETED' ? true : undefined;
      });
    }, 120_000);

    test('no role tried anything it may not do', () => {
      const said = (['api', 'analyzer', 'sink', 'correlator'] as const).flatMap((role) =>
        service.of(role).map((one) => [role, one.output()] as const),
      );
      expect(said).toHaveLength(4);
      for (const [role, output] of said)
        expect([
          role,
          /NOPERM|executing the script|ACL failure|ACCESS_DENIED|redis-acl/.exec(output),
        ]).toEqual([role, null]);
    });

    test('migrate repeats, accepts older state and starts a new epoch', async () => {
      expect(await service.stop()).toBe(0);
      const settings = { ...servers.settings, ...servers.roleSettings?.migrate };
      for (const args of [[], ['--accept-older-state'], ['--new-epoch']]) {
        const { code, output } = await runCas(['migrate', ...args], settings);
        expect([args, code, output]).toEqual([args, 0, output]);
      }
      service = await startDistributed({ ...servers, analyzers: 1, sinks: 1 });
    }, 120_000);
  });
});
