/** `target` with some members replaced; works for an object, an instance or a proxy. */
export function instead<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
