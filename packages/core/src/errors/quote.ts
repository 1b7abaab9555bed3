const longestShown = 80

/** A value as it may stand in a message: short, on one line, whatever it is. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return clip(JSON.stringify(value))
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (value !== null && typeof value === 'object') return quoteObject(value)
  return clip(String(value))
}

/** A path, or an identity that begins with one, on one line. Whole: half a path leads nowhere. */
export function quotePath(path: string): string {
  return JSON.stringify(path)
}

/** Even to look whether a value is an array can throw, when it is a revoked proxy. */
function quoteObject(value: object): string {
  try {
    return Array.isArray(value) ? `an array of ${value.length}` : 'an object'
  } catch {
    return 'an object'
  }
}

function clip(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`
}
