import { ConfigurationError, quote } from '@kron/core'

/** Where what a job writes goes. */
export type OutputTarget =
  | { readonly kind: 'inherit' }
  | { readonly kind: 'discard' }
  | { readonly kind: 'syslog' }
  /** The path may have time tokens: see `expandTimeTokens`. */
  | { readonly kind: 'file'; readonly path: string }

const filePrefix = 'file:'

const digits = (value: number, count: number): string => String(value).padStart(count, '0')

/** As strftime has them, of a date in UTC. */
const timeTokens: Readonly<Record<string, (date: Date) => string>> = {
  '%Y': (date) => digits(date.getUTCFullYear(), 4),
  '%m': (date) => digits(date.getUTCMonth() + 1, 2),
  '%d': (date) => digits(date.getUTCDate(), 2),
  '%H': (date) => digits(date.getUTCHours(), 2),
  '%M': (date) => digits(date.getUTCMinutes(), 2),
  '%S': (date) => digits(date.getUTCSeconds(), 2),
  '%j': (date) => digits(dayOfYear(date), 3),
  '%%': () => '%',
}

/**
 * null when the text is none of `inherit`, `discard`, `syslog` and `file:<absolute path>`. Throws
 * when the path has a time token that does not exist.
 */
export function outputTargetOf(text: string): OutputTarget | null {
  if (text === 'inherit' || text === 'discard' || text === 'syslog') return { kind: text }
  if (!text.startsWith(`${filePrefix}/`)) return null
  checkTimeTokens(text)
  return { kind: 'file', path: text.slice(filePrefix.length) }
}

/** The path at an instant, in UTC: `/var/log/a-%Y%m%d.log` becomes `/var/log/a-20260301.log`. */
export function expandTimeTokens(path: string, instant: number): string {
  const date = new Date(instant)
  return path.replace(/%./gsu, (token) => timeTokens[token]?.(date) ?? token)
}

function checkTimeTokens(text: string): void {
  for (const { 0: token, index } of text.matchAll(/%.?/gsu)) {
    if (Object.hasOwn(timeTokens, token)) continue
    const allowed = `the time tokens ${Object.keys(timeTokens).join(' ')}`
    throw new ConfigurationError(
      'KRON_FIELD_INVALID',
      `the path of an output file may have ${allowed}, got ${quote(token)}` +
        (token === '%' ? '; write %% for a percent sign' : ''),
      { field: 'file', value: token, allowed, position: index, length: token.length },
    )
  }
}

function dayOfYear(date: Date): number {
  const year = new Date(date)
  year.setUTCMonth(0, 1)
  return Math.round((date.getTime() - year.getTime()) / 86_400_000) + 1
}
