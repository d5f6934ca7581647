import type { RiskLevel } from '#schemas/vocabulary.ts';
import { noShapes, pruneShapes } from './prompt-shapes.ts';
import { MAX_KEYS, MAX_MODELS, MAX_PROVIDERS, MAX_SANDBOXES } from './rules.ts';
import { emptySeries, prune } from './series.ts';
import type { Key, KeyKind, Keys, ModelKeys, ProviderKeys, SandboxKeys } from './shapes.ts';
import { hasNone, NO_TALLIES } from './tally.ts';

export const noKeys = (): Keys => ({
  size: 0,
  models: 0,
  openShapes: 0,
  risks: new Map(),
  codes: new Map(),
  sandboxes: new Map(),
  providers: new Map(),
});

type Owner = Partial<Pick<Key, 'sandbox' | 'model' | 'provider'>>;

function newKey(keys: Keys, kind: KeyKind, word: string, owner: Owner): Key {
  keys.size += 1;
  return {
    kind,
    word,
    sandbox: owner.sandbox ?? null,
    model: owner.model ?? null,
    provider: owner.provider ?? null,
    hourly: emptySeries(),
    elevated: kind === 'STRATUM' ? emptySeries() : null,
    shapes: kind === 'CODE' ? noShapes() : null,
    shape: -1,
    ...NO_TALLIES,
  };
}

/** null: no room. */
function addCode(keys: Keys, codes: Map<string, Key>, kind: KeyKind, code: string, owner: Owner): Key | null {
  if (keys.size >= MAX_KEYS) return null;
  const key = newKey(keys, kind, code, owner);
  codes.set(code, key);
  return key;
}

export const riskKey = (keys: Keys, level: RiskLevel): Key | null =>
  keys.risks.get(level) ?? addCode(keys, keys.risks, 'RISK', level, {});
export const violationKey = (keys: Keys, code: string): Key | null =>
  keys.codes.get(code) ?? addCode(keys, keys.codes, 'CODE', code, {});
export const sandboxCode = (keys: Keys, sandbox: SandboxKeys, code: string): Key | null =>
  sandbox.codes.get(code) ?? addCode(keys, sandbox.codes, 'SANDBOX_CODE', code, { sandbox });
export const modelCode = (keys: Keys, model: ModelKeys, code: string): Key | null =>
  model.codes.get(code) ?? addCode(keys, model.codes, 'MODEL_CODE', code, { model });
export const providerCode = (keys: Keys, provider: ProviderKeys, code: string): Key | null =>
  provider.codes.get(code) ?? addCode(keys, provider.codes, 'PROVIDER_CODE', code, { provider });

/** null: no room for another sandbox. */
export function sandboxKeys(keys: Keys, id: string, slug: string): SandboxKeys | null {
  const known = keys.sandboxes.get(id);
  if (known !== undefined) {
    // A parsed string is a new object each time, so an equal one is not replaced.
    if (known.slug !== slug) known.slug = slug;
    return known;
  }
  if (keys.sandboxes.size >= MAX_SANDBOXES || keys.size >= MAX_KEYS) return null;
  const sandbox = { id, slug, codes: new Map(), strata: new Map() } as Omit<SandboxKeys, 'all'>;
  const whole = sandbox as { -readonly [Name in keyof SandboxKeys]: SandboxKeys[Name] };
  whole.all = newKey(keys, 'SANDBOX', '', { sandbox: whole });
  keys.sandboxes.set(id, whole);
  return whole;
}

export function providerKeys(keys: Keys, name: string): ProviderKeys | null {
  const known = keys.providers.get(name);
  if (known !== undefined) return known;
  if (keys.providers.size >= MAX_PROVIDERS) return null;
  const provider: ProviderKeys = { name, codes: new Map(), models: new Map() };
  keys.providers.set(name, provider);
  return provider;
}

export function modelKeys(keys: Keys, provider: ProviderKeys, name: string): ModelKeys | null {
  const known = provider.models.get(name);
  if (known !== undefined) return known;
  if (keys.models >= MAX_MODELS) return null;
  const model: ModelKeys = { name, provider: provider.name, codes: new Map(), strata: new Map() };
  provider.models.set(name, model);
  keys.models += 1;
  return model;
}

export function stratumKey(keys: Keys, sandbox: SandboxKeys, model: ModelKeys): Key | null {
  const known = sandbox.strata.get(model);
  if (known !== undefined) return known;
  if (keys.size >= MAX_KEYS) return null;
  const key = newKey(keys, 'STRATUM', '', { sandbox, model });
  sandbox.strata.set(model, key);
  model.strata.set(sandbox, key);
  return key;
}

/** Removes hours below `hour`, and keys that are then empty. */
export function sweep(keys: Keys, hour: number): void {
  sweepCodes(keys, keys.risks, hour);
  sweepCodes(keys, keys.codes, hour);
  for (const sandbox of keys.sandboxes.values()) {
    sweepCodes(keys, sandbox.codes, hour);
    for (const [model, key] of sandbox.strata) {
      if (!isSilent(key, hour)) continue;
      sandbox.strata.delete(model);
      model.strata.delete(sandbox);
      keys.size -= 1;
    }
    if (sandbox.codes.size > 0 || sandbox.strata.size > 0 || !hasNone(sandbox.all)) continue;
    keys.sandboxes.delete(sandbox.id);
    keys.size -= 1;
  }
  for (const provider of keys.providers.values()) {
    sweepCodes(keys, provider.codes, hour);
    for (const model of provider.models.values()) {
      sweepCodes(keys, model.codes, hour);
      if (model.codes.size > 0 || model.strata.size > 0) continue;
      provider.models.delete(model.name);
      keys.models -= 1;
    }
    if (provider.codes.size === 0 && provider.models.size === 0) keys.providers.delete(provider.name);
  }
}

function sweepCodes(keys: Keys, codes: Map<string, Key>, hour: number): void {
  for (const [code, key] of codes) {
    if (!isSilent(key, hour)) continue;
    codes.delete(code);
    keys.size -= 1;
  }
}

function isSilent(key: Key, hour: number): boolean {
  prune(key.hourly, hour);
  if (key.elevated !== null) prune(key.elevated, hour);
  if (key.shapes !== null) pruneShapes(key.shapes, hour);
  return key.hourly.length === 0 && hasNone(key);
}
