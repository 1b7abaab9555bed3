/** The vectors quote Kubernetes' tests, which say times and durations as Go expressions. */

const named: Readonly<Record<string, string>> = {
  topOfTheHour: '2016-05-19T10:00:00Z',
  justBeforeTheHour: '2016-05-19T09:59:00Z',
  justAfterTheHour: '2016-05-19T10:01:00Z',
  justBeforeTheNextHour: '2016-05-19T10:59:00Z',
  weekAfterTheHour: '2016-05-26T10:00:00Z',
  // Parsed in a zone, but its text has a Z.
  'justAfterTheHourInZone(newYork)': '2016-05-19T10:01:00Z',
}

const units: Readonly<Record<string, number>> = {
  'time.Millisecond': 1,
  'time.Second': 1000,
  'time.Minute': 60_000,
  'time.Hour': 3_600_000,
  nextScheduleDelta: 100,
  'time.Duration(shortDead+1)': 11,
  'time.Duration(shortDead-1)': 9,
}

/** Such as `1*time.Hour - time.Second*time.Duration(shortDead+1) + nextScheduleDelta`. */
export function goDuration(expression: string): number {
  const terms = expression.replaceAll(' * ', '*').split(/ (?=[+-] )/)
  return terms.reduce((sum, term) => {
    const [, sign = '', product = ''] = /^([+-] )?(.*)$/.exec(term) ?? []
    const ms = product.split('*').reduce((value, factor) => value * factorOf(factor), 1)
    return sign === '- ' ? sum - ms : sum + ms
  }, 0)
}

function factorOf(text: string): number {
  const factor = units[text] ?? Number(text)
  if (Number.isNaN(factor)) throw new Error(`not known in Go: ${text}`)
  return factor
}

/** Such as `justAfterTheHour().Add(time.Millisecond * 100)`, or a plain instant. */
export function goTime(expression: string): number {
  const [beginning = '', ...additions] = expression.split('.Add(')
  const name = beginning.replace(/^\*/, '').replace(/\(\)$/, '')
  const at = Date.parse(named[name] ?? beginning)
  if (Number.isNaN(at)) throw new Error(`not a time in Go: ${expression}`)
  return additions.reduce((sum, addition) => sum + goDuration(addition.slice(0, -1)), at)
}
