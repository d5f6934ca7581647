/** The bytes, with a count of reads; a native search counts as one read per byte passed. */
export function countReads(bytes: Buffer): { readonly seen: Buffer; readonly reads: () => number } {
  let reads = 0;
  const watch = (watched: Buffer): Buffer =>
    new Proxy(watched, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        if (name === 'subarray') return (from: number, to: number) => watch(target.subarray(from, to));
        const value: unknown = Reflect.get(target, name);
        if (name !== 'indexOf') return typeof value === 'function' ? value.bind(target) : value;
        return (sought: number, from: number) => {
          const found = target.indexOf(sought, from);
          reads += (found === -1 ? target.length : found) - from + 1;
          return found;
        };
      },
    });
  return { seen: watch(bytes), reads: () => reads };
}
