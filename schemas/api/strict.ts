import { z } from 'zod';

type Schema = z.core.$ZodType;

/** Schemas around another one, which their definition holds under this name. */
const WRAPPED_IN = ['innerType', 'element', 'valueType', 'in', 'out'] as const;

/**
 * The same schema, which refuses unknown fields of its objects at every depth instead of dropping them. What says itself
 * what happens to them (`looseObject`, `catchall`) and maps stay as they are.
 */
export function strict<S extends Schema>(schema: S): S {
  const changed = changedParts(schema);
  if (changed === null) return schema;
  const copy = z.core.clone(schema, z.core.util.mergeDefs(schema._zod.def, changed) as never);
  const notes = z.globalRegistry.get(schema);
  if (notes !== undefined) z.globalRegistry.add(copy, notes);
  return copy;
}

/** The members of its definition that change; null: none. */
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
    return made.some((option, place) => option !== options[place]) ? { options: made } : null;
  }
  const changed: Record<string, unknown> = {};
  for (const name of WRAPPED_IN) {
    const inner = def[name] as Schema | undefined;
    const made = inner === undefined ? undefined : strict(inner);
    if (made !== inner) changed[name] = made;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}

/** Names of the fields of the object that a schema reads; several of a union. Empty: it reads no object. */
export function fieldNames(schema: Schema): string[] {
  const def = schema._zod.def as unknown as Readonly<Record<string, unknown>> & { readonly type: string };
  if (def.type === 'object') return Object.keys(def.shape as object);
  if (def.type === 'union') return (def.options as readonly Schema[]).flatMap(fieldNames);
  const inner = (def.innerType ?? def.in) as Schema | undefined;
  return inner === undefined ? [] : fieldNames(inner);
}
