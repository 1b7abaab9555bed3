/**
 * A second, naive reading of crontabs, after the rules of Vixie's cron and with nothing of ours:
 * it walks through time minute by minute (day by day where a day can't match) and compares.
 */
export interface OracleEntry {
  /** 1-based. */
  readonly line: number
  readonly times: string
  readonly zone: string
}

const macros: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

export function oracleEntries(text: string, zone: string): OracleEntry[] {
  const entries: OracleEntry[] = []
  let current = zone
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith('@reboot')) continue
    const variable = /^["']?([A-Za-z_]+)["']?\s*=\s*(.*)$/.exec(line)
    if (variable !== null) {
      if (variable[1] === 'CRON_TZ') current = variable[2] === '' ? zone : variable[2]!
      continue
    }
    const words = line.replace(/^-/, '').split(/\s+/)
    const times = macros[words[0]!] ?? words.slice(0, 5).join(' ')
    entries.push({ line: index + 1, times, zone: current })
  }
  return entries
}

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = 'x jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

function expand(text: string, low: number, high: number, words: readonly string[]): boolean[] {
  const set = Array.from({ length: high + 1 }, () => false)
  const number = (word: string): number => {
    const named = words.indexOf(word.toLowerCase())
    return named >= 0 ? named : Number.parseInt(word, 10)
  }
  for (const part of text.split(',')) {
    const [body, step = '1'] = part.split('/') as [string, string?]
    const [from, to = from] = body === '*' ? [String(low), String(high)] : body.split('-')
    for (let value = number(from!); value <= number(to!); value += Number(step)) set[value] = true
  }
  return set
}

/** Zones without clock changes in the years looked at, in minutes east. */
const offsets: Readonly<Record<string, number>> = {
  'Asia/Tokyo': 540,
  'Asia/Kolkata': 330,
  'America/Phoenix': -420,
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** The first `count` instants at or after `from` at which cron would start the entry. */
export function oracleRuns({ times, zone }: OracleEntry, from: number, count: number): number[] {
  const [minute, hour, dom, month, dow] = times.split(' ') as [
    string,
    string,
    string,
    string,
    string,
  ]
  const minutes = expand(minute, 0, 59, [])
  const hours = expand(hour, 0, 23, [])
  const days = expand(dom, 1, 31, [])
  const monthSet = expand(month, 1, 12, months)
  const weekdays = expand(dow, 0, 7, names)
  if (weekdays[0] || weekdays[7]) weekdays[0] = weekdays[7] = true
  const domStar = dom.startsWith('*')
  const dowStar = dow.startsWith('*')
  const shift = offsets[zone]! * minuteMs
  const runs: number[] = []
  const firstDay = Math.floor((from + shift) / dayMs)
  for (let day = firstDay; runs.length < count && day < firstDay + 366 * 400; day++) {
    const date = new Date(day * dayMs)
    const byDom = days[date.getUTCDate()]!
    const byDow = weekdays[date.getUTCDay()]!
    const byDay = domStar || dowStar ? byDom && byDow : byDom || byDow
    if (!byDay || !monthSet[date.getUTCMonth() + 1]) continue
    for (let at = 0; at < 1440 && runs.length < count; at++) {
      if (!hours[Math.floor(at / 60)] || !minutes[at % 60]) continue
      const instant = day * dayMs + at * minuteMs - shift
      if (instant >= from) runs.push(instant)
    }
  }
  return runs
}
