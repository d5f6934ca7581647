/** A single object is answered with its fields at the top level and once more under `data`. */
export const envelope = <Fields extends object>(fields: Fields): Fields & { data: Fields } => ({
  ...fields,
  data: fields,
});
