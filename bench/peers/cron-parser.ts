import { CronExpressionParser } from 'cron-parser'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const cronParser: Peer = {
  name: 'cron-parser',
  version: versionOf('cron-parser'),
  zoneSupport: 'any',
  note: 'Chained with its own cursor; scattered with `reset` before each `next`.',
  parse: (expression) => CronExpressionParser.parse(expression, { tz: 'UTC' }),
  schedule(expression, zone) {
    const cursor = CronExpressionParser.parse(expression, { tz: zone })
    const from = (afterMs: number): void => cursor.reset(new Date(afterMs))
    const next = (): number => cursor.next().getTime()
    return {
      next(afterMs) {
        from(afterMs)
        return next()
      },
      walk: { from, next },
    }
  },
}
