/** An instant as people and documents see it: RFC 3339 in UTC, milliseconds where there are some. */
export function instantText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}
