import { dayFromCivil, weekdayOf } from '../calendar/civil.js'

/** The history of a zone: from `starts[i]` (epoch seconds) on, the clock is `offsets[i]` ahead. */
export interface Segments {
  readonly starts: Float64Array
  readonly offsets: Int32Array
}

/** Decodes one line of the generated database; its format is described in tools/tzdata/encode. */
export function decodeZone(line: string): Segments {
  const [, offsetText, transitionText, ruleText] = line.split('|') as [
    string,
    string,
    string,
    string,
  ]
  const distinct = offsetText.split(' ').map(fromBase36)
  const [initial, ...transitions] = transitionText.split(' ') as [string, ...string[]]
  const starts: number[] = [Number.NEGATIVE_INFINITY]
  const offsets: number[] = [distinct[fromBase36(initial)]!]
  let at = 0
  for (const transition of transitions) {
    const [delta, index] = transition.split(':') as [string, string]
    at += fromBase36(delta)
    starts.push(at)
    offsets.push(distinct[fromBase36(index)]!)
  }
  if (ruleText !== '') appendYearly(ruleText, distinct, starts, offsets)
  return { starts: Float64Array.from(starts), offsets: Int32Array.from(offsets) }
}

function appendYearly(text: string, distinct: number[], starts: number[], offsets: number[]): void {
  const [firstYear, lastYear, ...changeTexts] = text.split(',') as [string, string, ...string[]]
  const changes = changeTexts.map((change) => change.split(' ').map(fromBase36))
  for (let year = fromBase36(firstYear); year <= fromBase36(lastYear); year++) {
    for (const [month, from, weekday, wallSecond, index] of changes) {
      const earliest = dayFromCivil(year, month!, from!)
      const day = earliest + ((weekday! - weekdayOf(earliest) + 7) % 7)
      starts.push(day * 86_400 + wallSecond! - offsets.at(-1)!)
      offsets.push(distinct[index!]!)
    }
  }
}

const fromBase36 = (text: string): number => Number.parseInt(text, 36)
