/** The expression of this one minute, in UTC; it comes again in a year. */
export function cronOfMinute(instant: number): string {
  const date = new Date(instant)
  const day = `${date.getUTCDate()} ${date.getUTCMonth() + 1}`
  return `${date.getUTCMinutes()} ${date.getUTCHours()} ${day} *`
}
