/** What differs from day to day and from machine to machine, in the order in which it is looked for. */
const masks: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
  [/\u001b\[[0-9;]*m/g, ''],
  [/\r/g, ''],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d\d-\d\d\b/g, '<day>'],
  [/\b\d\d:\d\d(:\d\d(\.\d+)?)?( [+-]\d\d:\d\d)?\b/g, '<time>'],
  [/\bkron_[0-9a-z]+_(?:[0-9a-z]+|\.\.\.)/g, '<key>'],
  [/\bwhsec_(?:[0-9A-Za-z+/=]+|\.\.\.)/g, '<secret>'],
  [/\b(run|ep|job|ten|key|hint|sess|aud)_[0-9a-z_]+/g, '<id>'],
  [/(?:\/(?:home|tmp|root)(?:\/[\w.@+-]+)*|~)(?=\/)/g, '<home>'],
  [/\b(in )?(\d+(\.\d+)?(ms|us|µs|s|m|h|d)( ?))+(ago)?/g, '<duration>'],
  [/\bnow\b/g, '<duration>'],
  [/\d+(\.\d+)?/g, '<number>'],
  [/ {2,}/g, ' '],
  [/-{3,}/g, '---'],
]

/** A line as it would be on any day and any machine. */
export function masked(line: string): string {
  let text = line
  for (const [pattern, mask] of masks) text = text.replace(pattern, mask)
  return text.trim()
}

/** Whether the lines appear in this order, with or without others between them. */
export function areShown(wanted: readonly string[], printed: readonly string[]): boolean {
  let from = 0
  const lines = printed.map(masked)
  return wanted.map(masked).every((line) => {
    if (line === '' || line === '...') return true
    const found = lines.indexOf(line, from)
    from = found + 1
    return found >= 0
  })
}

/** Whether that is all that was printed, where a line `...` stands for any lines. */
export function isAll(wanted: readonly string[], printed: readonly string[]): boolean {
  const lines = printed.map(masked).filter((line) => line !== '')
  const match = (expected: readonly string[], at: number): boolean => {
    const [line, ...rest] = expected
    if (line === undefined) return at === lines.length
    if (line !== '...') return lines[at] === line && match(rest, at + 1)
    for (let next = at; next <= lines.length; next++) if (match(rest, next)) return true
    return false
  }
  return match(
    wanted.map(masked).filter((line) => line !== ''),
    0,
  )
}
