const intervalMs = 50

/**
 * Asks again and again until the answer is not null; an error counts as "not yet". These are other
 * people's programs, which tell nobody when they are ready.
 */
export async function eventually<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | null> | T | null,
  signal?: AbortSignal,
): Promise<T> {
  const limit = performance.now() + limitMs
  let last: unknown
  while (performance.now() < limit) {
    signal?.throwIfAborted()
    try {
      const answer = await ask()
      if (answer !== null) return answer
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
  throw new Error(`${what} took more than ${limitMs / 1000} s`, { cause: last })
}
