import type { RiskLevel } from '#schemas/vocabulary.ts';
import {
  modelCode,
  modelKeys,
  noKeys,
  providerCode,
  providerKeys,
  riskKey,
  sandboxCode,
  sandboxKeys,
  stratumKey,
  violationKey,
} from '../state/keys.ts';
import { shapeKey } from '../state/prompt-shapes.ts';
import { addTo, countOf, hourOf, type Series } from '../state/series.ts';
import type { Key, Keys } from '../state/shapes.ts';

/** A series: each hour's distance from the previous one (for the first, from 0), and counts. */
type SavedSeries = readonly [readonly number[], readonly number[]];
/** Violation or level, with its series. */
type SavedCode = readonly [string, SavedSeries];
/** Violation with its series, the series of its prompts' shapes, and the open shapes. */
type SavedViolation = readonly [string, SavedSeries, SavedSeries, readonly number[]];

export interface SavedKeys {
  readonly risks: readonly SavedCode[];
  readonly codes: readonly SavedViolation[];
  readonly providers: readonly {
    readonly name: string;
    readonly codes: readonly SavedCode[];
    readonly models: readonly { readonly name: string; readonly codes: readonly SavedCode[] }[];
  }[];
  readonly sandboxes: readonly {
    readonly id: string;
    readonly slug: string;
    readonly codes: readonly SavedCode[];
    /** Provider, model, all signals, elevated ones. */
    readonly strata: readonly (readonly [string, string, SavedSeries, SavedSeries])[];
  }[];
}

const saveSeries = (packed: Readonly<Series>): SavedSeries => [
  packed.map((one, at) => hourOf(one) - (at === 0 ? 0 : hourOf(packed[at - 1]!))),
  packed.map(countOf),
];

/** The keys as plain data, and each key's index in the order in which `restoreKeys` restores them. */
export function walkKeys(keys: Keys): { readonly saved: SavedKeys; readonly indexes: Map<Key, number> } {
  const indexes = new Map<Key, number>();
  const note = (key: Key): Key => {
    indexes.set(key, indexes.size);
    return key;
  };
  const codesOf = (codes: ReadonlyMap<string, Key>): SavedCode[] =>
    [...codes].map(([code, key]) => [code, saveSeries(note(key).hourly)]);
  const saved: SavedKeys = {
    risks: codesOf(keys.risks),
    codes: [...keys.codes].map(([code, key]) => {
      const { days, open } = note(key).shapes!;
      for (const one of open.values()) note(one);
      return [code, saveSeries(key.hourly), saveSeries(days), [...open.keys()]];
    }),
    providers: [...keys.providers.values()].map(({ name, codes, models }) => ({
      name,
      codes: codesOf(codes),
      models: [...models.values()].map((model) => ({ name: model.name, codes: codesOf(model.codes) })),
    })),
    sandboxes: [...keys.sandboxes.values()].map(({ id, slug, all, codes, strata }) => {
      note(all);
      return {
        id,
        slug,
        codes: codesOf(codes),
        strata: [...strata].map(([model, key]) => [
          model.provider,
          model.name,
          saveSeries(note(key).hourly),
          saveSeries(key.elevated!),
        ]),
      };
    }),
  };
  return { saved, indexes };
}

/** The restored keys, and a list of them in the order of `walkKeys`. */
export function restoreKeys(saved: SavedKeys): { readonly keys: Keys; readonly inOrder: readonly Key[] } {
  const keys = noKeys();
  const inOrder: Key[] = [];
  const fill = (made: Key | null, series: SavedSeries): void => {
    // Saved keys were within the limits, so there is room.
    const key = made!;
    fillSeries(key.hourly, series);
    inOrder.push(key);
  };
  for (const [level, series] of saved.risks) fill(riskKey(keys, level as RiskLevel), series);
  for (const [code, series, days, open] of saved.codes) {
    const key = violationKey(keys, code)!;
    fill(key, series);
    fillSeries(key.shapes!.days, days);
    for (const shape of open) inOrder.push(shapeKey(keys, key, shape)!);
  }
  for (const { name, codes, models } of saved.providers) {
    const provider = providerKeys(keys, name)!;
    for (const [code, series] of codes) fill(providerCode(keys, provider, code), series);
    for (const model of models) {
      const own = modelKeys(keys, provider, model.name)!;
      for (const [code, series] of model.codes) fill(modelCode(keys, own, code), series);
    }
  }
  for (const { id, slug, codes, strata } of saved.sandboxes) {
    const sandbox = sandboxKeys(keys, id, slug)!;
    inOrder.push(sandbox.all);
    for (const [code, series] of codes) fill(sandboxCode(keys, sandbox, code), series);
    for (const [provider, model, all, elevated] of strata) {
      const key = stratumKey(keys, sandbox, modelKeys(keys, providerKeys(keys, provider)!, model)!);
      fill(key, all);
      fillSeries(key!.elevated!, elevated);
    }
  }
  return { keys, inOrder };
}

function fillSeries(series: Series, [distances, counts]: SavedSeries): void {
  let hour = 0;
  for (const [index, distance] of distances.entries()) {
    hour += distance;
    addTo(series, hour, counts[index]!);
  }
}
