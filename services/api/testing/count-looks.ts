/** The bytes, with a count of reads; a native search counts as one read of each byte that it passes. */
export function countLooks(bytes: Buffer): { readonly seen: Buffer; readonly looks: () => number } {
  let looks = 0;
  const watch = (watched: Buffer): Buffer =>
    new Proxy(watched, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
        if (name === 'subarray') return (from: number, to: number) => watch(target.subarray(from, to));
        const value: unknown = Reflect.get(target, name);
        if (name !== 'indexOf') return typeof value === 'function' ? value.bind(target) : value;
        return (sought: number, from: number) => {
          const found = target.indexOf(sought, from);
          looks += (found === -1 ? target.length : found) - from + 1;
          return found;
        };
      },
    });
  return { seen: watch(bytes), looks: () => looks };
}
