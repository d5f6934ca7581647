/** A name starts with a letter or a digit, and has no character that could point to another location. */
const NAME = /^[0-9a-z][0-9a-z.-]{0,127}$/;

export const isPackageName = (name: string): boolean => NAME.test(name);

/** The name of a customer or file; throws if it is invalid. */
export function checkedName(name: string): string {
  if (!isPackageName(name)) throw new RangeError('the package name contains invalid characters');
  return name;
}
