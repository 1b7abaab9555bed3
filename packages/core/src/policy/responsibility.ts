/**
 * Since when a host answers for a job with its present timing. Hosts keep it with their state:
 * without it a job that was just added would look as if it had missed its current period, and an
 * edited schedule would start something for a time that had passed.
 */
export interface Responsibility {
  /** The timing it holds for; see `Job.timing`. */
  readonly timing: string
  /** Epoch milliseconds. */
  readonly since: number
}

/**
 * What is known stays as long as the timing does; a changed timing counts from now on. A state
 * that knows nothing of it is older than the rule: its last handled period says how far it came.
 * What has no state at all is new, and counts from when it was created or first seen.
 */
export function responsibilityFor(
  timing: string,
  known: Responsibility | null,
  handledThrough: number | null,
  firstSeen: number,
  now: number,
): Responsibility {
  if (known !== null) return known.timing === timing ? known : { timing, since: now }
  return { timing, since: handledThrough ?? firstSeen }
}
