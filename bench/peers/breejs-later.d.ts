/** The package has no types; these are the parts that are measured. */
declare module '@breejs/later' {
  interface Occurrences {
    /** The first one at or after `from`; 0 when there is none. */
    next(count: 1, from: Date): Date | 0
  }

  interface Later {
    readonly parse: { cron(expression: string): object }
    schedule(definition: object): Occurrences
    readonly date: { UTC(): void; localTime(): void }
  }

  const later: Later
  export default later
}
