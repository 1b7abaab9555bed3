/** The known names closest to what was typed, best first; empty when nothing is close. */
export function nearest(typed: string, known: Iterable<string>, most = 3): string[] {
  const wanted = typed.toLowerCase()
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  const close: { name: string; distance: number }[] = []
  for (const name of known) {
    const candidate = name.toLowerCase()
    if (Math.abs(candidate.length - wanted.length) > limit) continue
    const distance = editDistance(wanted, candidate, limit)
    if (distance <= limit) close.push({ name, distance })
  }
  close.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  // Beside a name that is one slip away, those at the limit are no help.
  const farthest = Math.max(1, 2 * (close[0]?.distance ?? 0))
  const useful = close.filter(({ distance }) => distance <= farthest)
  return useful.slice(0, most).map((entry) => entry.name)
}

/** `; did you mean X?`, or nothing: the tail of a message about an unknown name. */
export function suggestion(typed: string, known: Iterable<string>): string {
  const close = nearest(typed, known)
  return close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`
}

/** Levenshtein with one row, given up as soon as every cell of a row is past the limit. */
function editDistance(a: string, b: string, limit: number): number {
  const row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!
    let best = i
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      const replaced = diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cell = Math.min(replaced, above + 1, row[j - 1]! + 1)
      row[j] = cell
      diagonal = above
      if (cell < best) best = cell
    }
    if (best > limit) return best
  }
  return row[b.length]!
}
