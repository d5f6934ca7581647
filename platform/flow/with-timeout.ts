/** Settles as the work does, or as `onLate` does when that takes longer. Late work continues, unobserved. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  onLate: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(onLate()), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
