import { z } from 'zod';

type Schema = z.core.$ZodType;

/** Names under which a wrapping schema's definition holds the wrapped one. */
const WRAPPED_IN = ['innerType', 'element', 'valueType', 'in', 'out'] as const;

/**
 * A copy of the schema that refuses unknown fields of its objects at every depth instead of dropping them. Maps and
 * schemas with their own rule (`looseObject`, `catchall`) are unchanged.
 */
export function strict<S extends Schema>(schema: S): S {
  const changed = changedParts(schema);
  if (changed === null) return schema;
  const copy = z.core.clone(schema, z.core.util.mergeDefs(schema._zod.def, changed) as never);
  const notes = z.globalRegistry.get(schema);
  if (notes !== undefined) z.globalRegistry.add(copy, notes);
  return copy;
}

/** The changed members of its definition; null if there are none. */
function changedParts(schema: Schema): Record<string, unknown> | null {
  const def = schema._zod.def as unknown as Readonly<Record<string, unknown>> & { readonly type: string };
  if (def.type === 'object') {
    const shape = def.shape as Readonly<Record<string, Schema>>;
    const fields = Object.entries(shape).map(([name, field]) => [name, strict(field)]);
    return {
      shape: Object.fromEntries(fields),
      ...(def.catchall === undefined ? { catchall: z.never() } : {}),
    };
  }
  if (def.type === 'union') {
    const options = def.options as readonly Schema[];
    const made = options.map((option) => strict(option));
    return made.some((option, index) => option !== options[index]) ? { options: made } : null;
  }
  const changed: Record<string, unknown> = {};
  for (const name of WRAPPED_IN) {
    const inner = def[name] as Schema | undefined;
    const made = inner === undefined ? undefined : strict(inner);
    if (made !== inner) changed[name] = made;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}

/**
 * Names of the fields of the object that a schema accepts, of all alternatives for a union. Empty if it accepts no
 * object.
 */
export function fieldNames(schema: Schema): string[] {
  const def = schema._zod.def as unknown as Readonly<Record<string, unknown>> & { readonly type: string };
  if (def.type === 'object') return Object.keys(def.shape as object);
  if (def.type === 'union') return (def.options as readonly Schema[]).flatMap(fieldNames);
  const inner = (def.innerType ?? def.in) as Schema | undefined;
  return inner === undefined ? [] : fieldNames(inner);
}
