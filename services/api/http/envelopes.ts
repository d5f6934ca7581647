/** A single object is answered with its fields at the top level and again under `data`. */
export const envelope = <Fields extends object>(fields: Fields): Fields & { data: Fields } => ({
  ...fields,
  data: fields,
});

/** Same, for evidence: its fields are only under `data`. */
export const evidence = <Data>(data: Data) => ({ success: true as const, data });

/** Answers 201 for a new record, 200 for an existing one. */
export const madeEvidence = <Data>({ data, isNew }: { readonly data: Data; readonly isNew: boolean }) => ({
  shown: evidence(data),
  statusCode: isNew ? 201 : 200,
});

/** Answers a change of evidence, made now or before. */
export const changedEvidence = <Data>(data: Data) => ({ shown: evidence(data), statusCode: 200 });

export const made = <Fields extends object>(fields: Fields) => ({ shown: envelope(fields) });

/** Answers a change, made now or before. */
export const changed = <Fields extends object>(fields: Fields) => ({
  shown: envelope(fields),
  statusCode: 200,
});

/** A repeated request does not see the key. */
export const madeApiKey = <Listed extends object>({
  listed,
  key,
}: {
  readonly listed: Listed;
  readonly key: string | null;
}) =>
  key === null
    ? { shown: envelope(listed) }
    : { shown: envelope({ ...listed, key }), remembered: envelope(listed) };
