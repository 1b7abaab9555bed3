const longestShown = 80

/** A value as it may stand in a message: short, on one line, whatever it is. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return clip(JSON.stringify(value))
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value !== null && typeof value === 'object') return 'an object'
  return clip(String(value))
}

function clip(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`
}
