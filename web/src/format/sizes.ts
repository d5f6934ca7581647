const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** `512 B`, `1.5 MiB`. */
export function byteSize(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 0), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
