/**
 * Whether version `a` is later than `b`. Versions are decimal numbers in all API servers there are;
 * one that is not is taken for later, so that it is never overlooked.
 */
export function isLater(a: string, b: string): boolean {
  if (a === b) return false
  if (!isNumber(a) || !isNumber(b)) return true
  return a.length === b.length ? a > b : a.length > b.length
}

const isNumber = (text: string): boolean => /^[1-9]\d*$/.test(text)
