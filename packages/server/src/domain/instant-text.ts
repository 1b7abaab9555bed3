/** An instant as people see it: RFC 3339 in UTC, with milliseconds where there are some. */
export function instantText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}
