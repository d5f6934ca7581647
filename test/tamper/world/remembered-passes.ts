import type { LedgerPasses } from '#services/api/evidence/chain/pass.ts';
import { noteRead, withReads } from './reads.ts';

/** Passes over ledgers with cached results, until a table that they read changes. */
export interface RememberedPasses extends LedgerPasses {
  /** Drops results from these tables. */
  changed(tables: readonly string[]): void;
}

type Result = Awaited<ReturnType<LedgerPasses['run']>>;

/** A pass reads only tables and is most of a verification's cost. `isOn`: nothing else writes to the tables. */
export function rememberedPasses(passes: LedgerPasses, isOn: () => boolean): RememberedPasses {
  const known = new Map<string, readonly [Result, Set<string>]>();
  return {
    run: async (pass, watch) => {
      const key = JSON.stringify(pass);
      const passed = known.get(key) ?? (await withReads(() => passes.run(pass, watch)));
      if (isOn()) known.set(key, passed);
      const [result, places] = passed;
      for (const place of places) noteRead(place);
      return structuredClone(result);
    },
    changed: (tables) => {
      for (const [key, [, places]] of known) if (tables.some((name) => places.has(name))) known.delete(key);
    },
  };
}
