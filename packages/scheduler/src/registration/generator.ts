/** Also one that was bound, or comes from another realm. */
export const isGeneratorFunction = (value: unknown): boolean => /Generator/.test(tagOf(value))

/** What calling a generator function answers: nothing of it has run. */
export const isGenerator = (value: unknown): boolean =>
  typeof value === 'object' && /Generator\]$/.test(tagOf(value))

/** `[object AsyncGeneratorFunction]` and the like. */
function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value)
  } catch {
    return ''
  }
}
