/** Settles like the work, or like `onLate` if the work takes longer. Late work continues, and its result is ignored. */
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
