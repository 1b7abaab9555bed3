/** What a command tells the program that started it. */
export const exitCodes = Object.freeze({
  success: 0,
  /** Arguments that are not understood, an unknown name, a key that is missing or may not do it. */
  input: 1,
  /** The server refused what was asked of it. */
  refused: 2,
  /** The server can't be reached, or is not able to answer now. */
  unavailable: 3,
  /** A run that was waited for failed, or the program itself did. */
  fatal: 4,
})

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
