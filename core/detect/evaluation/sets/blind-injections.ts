export const ATTACKS: readonly string[] = [];
export const HARMLESS: readonly string[] = [];
export const UNSAFE: readonly string[] = [];
export const SAFE: readonly string[] = [];
export const HATEFUL: readonly string[] = [];
export const NOT_HATEFUL: readonly string[] = [];
