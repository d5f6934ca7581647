import * as contracts from '#schemas/api/damage.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { type DamageDependencies, listDamage } from '../../use-cases/operators/damage.ts';

export function damageRoutes(add: AddRoute, dependencies: DamageDependencies): void {
  add(contracts.listDamage, async ({ params, gone }) => ({
    body: { data: await listDamage(dependencies, params.id, gone) },
  }));
}
