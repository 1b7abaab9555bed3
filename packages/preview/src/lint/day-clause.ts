/** Whether a clause of `@only` or `@avoid` looks at the day, and not at the time of day. */
export function isAboutDays(clause: string): boolean {
  return /^(?:dow|dom|months|date|dates)=/.test(clause)
}
