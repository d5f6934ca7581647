/** A name begins with a letter or a digit, and has no character by which it could lead elsewhere. */
const NAME = /^[0-9a-z][0-9a-z.-]{0,127}$/;

export const isPackageName = (name: string): boolean => NAME.test(name);

/** The name of a customer or a file; throws when it is none. */
export function checkedName(name: string): string {
  if (!isPackageName(name)) throw new RangeError('the package name contains invalid characters');
  return name;
}
