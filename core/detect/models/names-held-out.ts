type Find = readonly [kind: string, start: number, end: number, margin: number];
export const NAMES_HELD_OUT: Readonly<Record<number, readonly Find[]>> = {};
