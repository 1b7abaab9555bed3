/** A rule in the Common Expression Language, which the server checks when a KronJob is applied. */
export interface CelRule {
  readonly rule: string
  /** What people read when it does not hold, after the path of the field and its value. */
  readonly message: string
}

/**
 * The rule form of a pattern: where a `pattern` fails, people are shown the regular expression,
 * and here they are shown words. It means the same in Go and in JavaScript, and has no quotes.
 */
export const matching = (pattern: string, message: string): CelRule => ({
  rule: `self.matches(${celText(pattern)})`,
  message,
})

/** As it is, without escapes. */
export const celText = (text: string): string => `r'${text}'`
