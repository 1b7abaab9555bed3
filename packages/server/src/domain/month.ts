/** The month of an instant as YYYY-MM, in UTC: the period over which quotas are counted. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** When the counters of an instant's month start again at zero. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
