import * as contracts from '#schemas/api/damage.ts';
import type { AddRoute } from '../../http/route.ts';
import { type DamageDependencies, listDamage } from './damage.ts';

export function damageRoutes(add: AddRoute, dependencies: DamageDependencies): void {
  add(contracts.listDamage, async ({ params, gone }) => ({
    body: { data: await listDamage(dependencies, params.id, gone) },
  }));
}
