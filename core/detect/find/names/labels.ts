/** Labels of a token. The first token of a name or an address has its own label, so that two in a row are distinct. */
export const OTHER = 0;
export const PERSON_BEGIN = 1;
export const PERSON_INSIDE = 2;
export const ADDRESS_BEGIN = 3;
export const ADDRESS_INSIDE = 4;
export const ORGANIZATION = 5;
export const PLACE_NAME = 6;
export const LABELS = 7;

/** Whether the label may follow: a name or an address only continues after its own start. */
export function mayFollow(before: number, label: number): boolean {
  if (label === PERSON_INSIDE) return before === PERSON_BEGIN || before === PERSON_INSIDE;
  if (label === ADDRESS_INSIDE) return before === ADDRESS_BEGIN || before === ADDRESS_INSIDE;
  return true;
}
