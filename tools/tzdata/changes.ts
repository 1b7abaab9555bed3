/** The history of a zone as the database has it: from `starts[i]` on, `offsets[i]`. */
export interface ZoneHistory {
  readonly starts: ArrayLike<number>
  readonly offsets: ArrayLike<number>
}

export interface ZoneChange {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** First instant (epoch seconds) from which the two disagree; only for `changed`. */
  readonly from?: number
}

/** What a new release changes, and from when on: what people want to know before they update. */
export function zoneChanges(
  before: ReadonlyMap<string, ZoneHistory>,
  after: ReadonlyMap<string, ZoneHistory>,
): ZoneChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names.flatMap((name): ZoneChange[] => {
    const old = before.get(name)
    const current = after.get(name)
    if (old === undefined) return [{ name, kind: 'added' }]
    if (current === undefined) return [{ name, kind: 'removed' }]
    const from = firstDifference(old, current)
    return from === null ? [] : [{ name, kind: 'changed', from }]
  })
}

/** Walks both histories side by side; the first stretch with different offsets is the answer. */
function firstDifference(a: ZoneHistory, b: ZoneHistory): number | null {
  let i = 0
  let j = 0
  let from = Number.NEGATIVE_INFINITY
  for (;;) {
    if (a.offsets[i] !== b.offsets[j]) return from
    const nextA = a.starts[i + 1] ?? Number.POSITIVE_INFINITY
    const nextB = b.starts[j + 1] ?? Number.POSITIVE_INFINITY
    from = Math.min(nextA, nextB)
    if (from === Number.POSITIVE_INFINITY) return null
    if (nextA === from) i++
    if (nextB === from) j++
  }
}
