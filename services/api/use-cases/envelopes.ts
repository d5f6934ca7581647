/** A single object is answered with its fields at the top level and once more under `data`. */
export const twice = <Fields extends object>(fields: Fields): Fields & { data: Fields } => ({
  ...fields,
  data: fields,
});
