import type { SchedulerError } from '@kron/scheduler'

/** What a promise is rejected with, to be looked at closely. */
export async function rejectionOf<Rejection = SchedulerError>(
  work: Promise<unknown>,
): Promise<Rejection> {
  const outcome = await work.then(
    () => ({ error: undefined }),
    (error: unknown) => ({ error }),
  )
  if (outcome.error === undefined) throw new Error('it was not rejected')
  return outcome.error as Rejection
}
