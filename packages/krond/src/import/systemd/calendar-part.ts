import { listOf, type TimeSet } from '../../crontab/index.js'

/** `*`, `1,15`, `8..18`, `0/15`, `5..20/5`: one part of a calendar expression; null if it is not. */
export function calendarPart(text: string, min: number, max: number): TimeSet | null {
  if (text === '*')
    return setOf(
      Array.from({ length: max - min + 1 }, (_, at) => min + at),
      text,
      max - min + 1,
    )
  const values = new Set<number>()
  for (const element of text.split(',')) {
    const match = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/.exec(element)
    if (match === null) return null
    const first = Number(match[1])
    const step = Number(match[3] ?? 1)
    const last = match[2] === undefined ? (match[3] === undefined ? first : max) : Number(match[2])
    const isRepeated = match[3] !== undefined && match[2] === undefined
    if (first < min || last > max || first > last || step < 1) return null
    if (isRepeated && first + step > max) return null
    for (let value = first; value <= last; value += step) values.add(value)
  }
  const from = /^0?(\d)\/(\d+)$/.exec(text)
  const isStep = from !== null && Number(from[1]) === min
  return setOf([...values], isStep ? `*/${Number(from[2])}` : null, max - min + 1)
}

function setOf(values: readonly number[], text: string | null, all: number): TimeSet {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    values: sorted,
    star: false,
    text: sorted.length === all ? '*' : (text ?? listOf(sorted)),
  }
}

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fullNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** `Mon`, `Mon..Fri`, `Sat,Sunday`; the week begins with Monday. null if it is something else. */
export function weekdayPart(text: string): TimeSet | null {
  const values = new Set<number>()
  for (const element of text.replace(/,$/, '').split(',')) {
    const [from, to = from] = element.toLowerCase().split(/\.\.|-/) as [string, string?]
    const [first, last] = [dayNumber(from), dayNumber(to!)]
    if (first === 0 || last === 0 || first > last || /(?:\.\.|-).*(?:\.\.|-)/.test(element))
      return null
    for (let day = first; day <= last; day++) values.add(day % 7)
  }
  return setOf([...values], null, 7)
}

/** 1 for Monday to 7 for Sunday, 0 for no day. */
function dayNumber(name: string): number {
  const at = Math.max(names.indexOf(name), fullNames.indexOf(name))
  return at < 0 ? 0 : at === 0 ? 7 : at
}
