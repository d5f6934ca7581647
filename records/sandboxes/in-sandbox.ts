/** Reads which sandbox has or had a slug. */
interface SandboxNames {
  sandboxIdOfSlug(customerId: string, slug: string): Promise<string | null>;
}

/**
 * The filter limited to the sandbox of a slug, if one is given. null: nothing can match, because no sandbox ever had
 * it.
 */
export async function inSandbox<Filter extends { readonly customerId: string }>(
  directory: SandboxNames,
  filter: Filter,
  sandboxSlug: string | undefined,
): Promise<(Filter & { readonly sandboxId?: string }) | null> {
  if (sandboxSlug === undefined) return filter;
  const sandboxId = await directory.sandboxIdOfSlug(filter.customerId, sandboxSlug);
  return sandboxId === null ? null : { ...filter, sandboxId };
}
