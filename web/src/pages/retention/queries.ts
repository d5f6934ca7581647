/** Whether an answer may be another one after a change of policies, or an erasure. */
export const isOfRetention = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  String(queryKey[0]).startsWith('/evidence/retention/');
