import type { Clusters } from './clusters.ts';
import type { Evidence } from './evidence.ts';
import type { Series } from './series.ts';

/**
 * RISK: signals of a level. CODE: with a violation. SANDBOX_CODE, MODEL_CODE, PROVIDER_CODE: with it, of one source.
 * SHAPE_CODE: with it, of prompts of one shape. STRATUM: of one model in one sandbox. SANDBOX: all of a sandbox.
 */
export type KeyKind =
  | 'RISK'
  | 'CODE'
  | 'SANDBOX_CODE'
  | 'MODEL_CODE'
  | 'PROVIDER_CODE'
  | 'SHAPE_CODE'
  | 'STRATUM'
  | 'SANDBOX';

/** What signals are counted by. */
export interface Key {
  readonly kind: KeyKind;
  /** Level or violation; empty for the others. */
  readonly word: string;
  readonly sandbox: SandboxKeys | null;
  readonly model: ModelKeys | null;
  readonly provider: ProviderKeys | null;
  readonly hourly: Series;
  /** Of HIGH or CRITICAL: of strata alone. */
  readonly elevated: Series | null;
  /** Of CODE, and those that a SHAPE_CODE is of: it has no hours of its own. */
  readonly shapes: ShapesOfCode | null;
  /** Of SHAPE_CODE alone; -1 of the others. */
  readonly shape: number;
  /** Of open windows, by their span: the last one, which knows the one before it. By itself each, as most of what is done begins here. */
  short: Tally | null;
  day: Tally | null;
  fortnight: Tally | null;
}

/** What a violation has by the shapes of its prompts (`prompt-shapes.ts`). */
export interface ShapesOfCode {
  /** Counts by day and shape, in slots of day x 64 + shape where other series have hours. */
  readonly days: Series;
  /** Keys of shapes that have an open window. */
  readonly open: Map<number, Key>;
}

export interface SandboxKeys {
  readonly id: string;
  slug: string;
  readonly all: Key;
  readonly codes: Map<string, Key>;
  readonly strata: Map<ModelKeys, Key>;
}

export interface ModelKeys {
  readonly name: string;
  readonly provider: string;
  readonly codes: Map<string, Key>;
  readonly strata: Map<SandboxKeys, Key>;
}

export interface ProviderKeys {
  readonly name: string;
  readonly codes: Map<string, Key>;
  readonly models: Map<string, ModelKeys>;
}

/** All keys of one customer. */
export interface Keys {
  /** Number of keys. */
  size: number;
  models: number;
  /** Keys of shapes, which are not among the others. */
  openShapes: number;
  readonly risks: Map<string, Key>;
  readonly codes: Map<string, Key>;
  readonly sandboxes: Map<string, SandboxKeys>;
  readonly providers: Map<string, ProviderKeys>;
}

/** The three lengths that windows have. Those of settings are SHORT; a day and a fortnight are fixed. */
export const SPANS = ['SHORT', 'DAY', 'FORTNIGHT'] as const;
export type Span = (typeof SPANS)[number];

/** A stretch of time, aligned to the epoch, with what was counted in it. */
export interface Window {
  readonly span: Span;
  readonly start: number;
  readonly lengthMs: number;
  /** In the order in which they began. */
  readonly tallies: Tally[];
  /** Of a DAY: its prompts that are alike. */
  readonly clusters: Clusters | null;
}

/** What one key has in one window. The evidence is what counts: with the violation, or elevated for keys of shares. */
export interface Tally extends Evidence {
  readonly key: Key;
  readonly window: Window;
  /** Of the same key and span, in the window that the key came to before. */
  before: Tally | null;
  /** All signals of the key: of keys of shares alone. */
  total: number;
  /** What counts by part of the window: hours of a day, twelve hours of a fortnight; empty for the others. */
  readonly parts: number[];
  /** All signals by part: of a fortnight alone. */
  readonly partTotals: number[];
  /** Number of counting signals at which it is looked at again. */
  look: number;
}
