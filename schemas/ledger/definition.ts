import type { LedgerKind } from '../vocabulary.ts';
import { type Fields, isObject, type ValuesOf } from './field-types.ts';

/**
 * One version of one kind of ledger entry: the fields of its core and its detail. The core stays readable until an
 * erasure of scope ALL. Every personal field (names, comments, email addresses, user ids) and every text belongs to the
 * detail, which is sealed in the log and erased with either scope.
 */
interface VersionInput {
  readonly kind: LedgerKind;
  readonly v: number;
  /** A kind with several types has one shape per type; the core's field `type` identifies an entry's shape. */
  readonly shapes: readonly EntryShape[];
  /**
   * What the fold accepts of this version: entries of these shapes, or (`OBJECTS`) any two objects. The fold is frozen:
   * if a kind's fields were once stored unchecked, every entry in a log must still fold as it did.
   */
  readonly stored: { readonly core: 'CLOSED' | 'OBJECTS'; readonly detail: 'CLOSED' | 'OBJECTS' };
  /** Checks between fields, and between fields and the entry; the core's fields are already checked. */
  readonly rule?: (core: Readonly<Record<string, unknown>>, id: string, at: string) => string | null;
}

interface EntryShape {
  readonly core: Fields;
  readonly detail: Fields;
  /** Fields that the detail may lack. Only if the fold accepts any object (`OBJECTS`). */
  readonly optionalDetail?: Fields;
}

export interface KindVersion extends Pick<VersionInput, 'kind' | 'v' | 'shapes'> {
  /** Why an entry cannot be created, or null. Names fields, never values. */
  readonly fault: (entry: ShownEntry) => string | null;
  /** Why the core, or the detail, of an entry cannot be folded, or null. Names fields, never values. */
  readonly storedCoreFault: (entry: Pick<ShownEntry, 'id' | 'at' | 'core'>) => string | null;
  readonly storedDetailFault: (detail: unknown) => string | null;
}

interface ShownEntry {
  readonly id: string;
  readonly at: string;
  readonly core: unknown;
  readonly detail: unknown;
}

type ContentOf<Kind, Shape> = Shape extends EntryShape
  ? {
      readonly kind: Kind;
      readonly core: ValuesOf<Shape['core']>;
      readonly detail: ValuesOf<Shape['detail']> & OptionalOf<Shape>;
    }
  : never;

type OptionalOf<Shape> = Shape extends { readonly optionalDetail: infer Optional extends Fields }
  ? Partial<ValuesOf<Optional>>
  : unknown;

/** Kind, core and detail of an entry, as its producer supplies them. */
export type EntryOf<Version extends Pick<VersionInput, 'kind' | 'shapes'>> = ContentOf<
  Version['kind'],
  Version['shapes'][number]
>;

type Fault = (value: unknown) => string | null;

/** Names the first field that is missing, unknown or of the wrong type. */
function fieldsFault(fields: Fields, v: number, optional: Fields = {}): Fault {
  const names = Object.keys(fields);
  const checks = names.map((name) => fields[name]!.holds);
  const known = Object.entries(optional);
  return (value) => {
    if (!isObject(value)) return 'it is not an object';
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i]!;
      if (checks[i]!(value[name])) continue;
      if (!Object.hasOwn(value, name)) return `column ${name} is missing`;
      return `column ${name} does not hold what version ${v} defines`;
    }
    let present = names.length;
    for (const [name, { holds }] of known) {
      if (!Object.hasOwn(value, name)) continue;
      if (!holds(value[name])) return `column ${name} does not hold what version ${v} defines`;
      present += 1;
    }
    const extra = Object.keys(value).length - present;
    return extra === 0 ? null : `${extra} columns are not part of version ${v}`;
  };
}

const objectFault: Fault = (value) => (isObject(value) ? null : 'it is not an object');

interface CompiledShape {
  /** Whether a core with this `type` has this shape; always true if the kind has only one shape. */
  readonly isNamed: (type: unknown) => boolean;
  readonly core: Fault;
  readonly detail: Fault;
}

function compiled({ core, detail, optionalDetail }: EntryShape, v: number, isOnly: boolean): CompiledShape {
  const { type } = core;
  return {
    isNamed: isOnly ? () => true : (value) => (type === undefined ? value === undefined : type.holds(value)),
    core: fieldsFault(core, v),
    detail: fieldsFault(detail, v, optionalDetail),
  };
}

/** Derives the checks of a version from its shapes. */
export function defineVersion<const Input extends VersionInput>(
  input: Input,
): KindVersion & Pick<Input, 'kind' | 'v' | 'shapes'> {
  const { kind, v, stored, rule = () => null } = input;
  const shapes = input.shapes.map((shape) => compiled(shape, v, input.shapes.length === 1));
  const shapeOf = (core: unknown): CompiledShape | undefined => {
    const type = isObject(core) && Object.hasOwn(core, 'type') ? core.type : undefined;
    return shapes.find(({ isNamed }) => isNamed(type));
  };
  const closedCoreFault = ({ core, id, at }: Pick<ShownEntry, 'id' | 'at' | 'core'>): string | null => {
    const shape = shapeOf(core);
    if (shape === undefined) return 'its type is none of this kind';
    return shape.core(core) ?? rule(core as Readonly<Record<string, unknown>>, id, at);
  };
  const [only] = shapes;
  if (stored.detail === 'CLOSED' && shapes.length > 1)
    throw new Error(`the detail of ${kind} is unreadable without its core`);
  if (stored.detail === 'CLOSED' && input.shapes.some(({ optionalDetail }) => optionalDetail !== undefined))
    throw new Error(`sinks of older releases would reject optional fields of ${kind}`);
  return {
    kind,
    v,
    shapes: input.shapes,
    fault: (entry) => {
      const inCore = closedCoreFault(entry);
      if (inCore !== null) return `core: ${inCore}`;
      const inDetail = shapeOf(entry.core)!.detail(entry.detail);
      return inDetail === null ? null : `detail: ${inDetail}`;
    },
    storedCoreFault: stored.core === 'CLOSED' ? closedCoreFault : ({ core }) => objectFault(core),
    storedDetailFault: stored.detail === 'CLOSED' ? only!.detail : objectFault,
  };
}

/** Picks the named fields that are present in `source`. */
export const presentFields = <const Of extends Fields>(
  fields: Of,
  source: Partial<ValuesOf<Of>>,
): Partial<ValuesOf<Of>> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const value = source[name as keyof Of];
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Partial<ValuesOf<Of>>;

/** Picks the named fields from `source`. */
export function fieldsOf<const Of extends Fields>(fields: Of, source: ValuesOf<Of>): ValuesOf<Of> {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, source[name as keyof Of]]),
  ) as unknown as ValuesOf<Of>;
}
