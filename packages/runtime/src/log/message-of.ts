/** What was thrown, in words: anything can be thrown, and only errors have a message. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
