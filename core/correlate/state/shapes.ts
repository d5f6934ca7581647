import type { Clusters } from './clusters.ts';
import type { Evidence } from './evidence.ts';
import type { Series } from './series.ts';

/**
 * RISK: signals of a level. CODE: with a violation. SANDBOX_CODE, MODEL_CODE, PROVIDER_CODE: with a violation, from one
 * source. SHAPE_CODE: with a violation, for prompts of one shape. STRATUM: of one model in one sandbox. SANDBOX: all of
 * a sandbox.
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

/** A key under which signals are counted. */
export interface Key {
  readonly kind: KeyKind;
  /** Level or violation; empty for the others. */
  readonly word: string;
  readonly sandbox: SandboxKeys | null;
  readonly model: ModelKeys | null;
  readonly provider: ProviderKeys | null;
  readonly hourly: Series;
  /** HIGH and CRITICAL signals; only for strata. */
  readonly elevated: Series | null;
  /** For CODE, its shapes; for SHAPE_CODE, those of its violation, because it has no hours itself. */
  readonly shapes: ShapesOfCode | null;
  /** Only for SHAPE_CODE; otherwise -1. */
  readonly shape: number;
  /** The latest tally of each span, linked to earlier ones. Separate properties, because most work starts here. */
  short: Tally | null;
  day: Tally | null;
  fortnight: Tally | null;
}

/** A violation's counts by the shape of its prompts (`prompt-shapes.ts`). */
export interface ShapesOfCode {
  /** Counts by day and shape: slots are day x 64 + shape, where other series have hours. */
  readonly days: Series;
  /** Keys of shapes with an open window. */
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
  /** Number of keys, without those of shapes. */
  size: number;
  models: number;
  /** Number of shape keys. */
  openShapes: number;
  readonly risks: Map<string, Key>;
  readonly codes: Map<string, Key>;
  readonly sandboxes: Map<string, SandboxKeys>;
  readonly providers: Map<string, ProviderKeys>;
}

/** The three window lengths. SHORT is set by the customer; a day and two weeks are fixed. */
export const SPANS = ['SHORT', 'DAY', 'FORTNIGHT'] as const;
export type Span = (typeof SPANS)[number];

/** A time window, aligned to the epoch, with its counts. */
export interface Window {
  readonly span: Span;
  readonly start: number;
  readonly lengthMs: number;
  /** In order of creation. */
  readonly tallies: Tally[];
  /** DAY only: clusters of similar prompts. */
  readonly clusters: Clusters | null;
}

/**
 * The counts of one key in one window. The evidence is the signals with the violation, or elevated ones for keys of
 * shares.
 */
export interface Tally extends Evidence {
  readonly key: Key;
  readonly window: Window;
  /** The tally of the same key and span in an earlier window. */
  before: Tally | null;
  /** All signals of the key; only for keys of shares. */
  total: number;
  /** Evidence by part of the window: hours of a day, twelve hours of two weeks; empty for other spans. */
  readonly parts: number[];
  /** All signals by part; only for two weeks. */
  readonly partTotals: number[];
  /** Evidence count at which the tally is judged next. */
  look: number;
}
