import { CronosExpression } from 'cronosjs'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const cronosjs: Peer = {
  name: 'cronosjs',
  version: versionOf('cronosjs'),
  zoneSupport: 'any',
  note:
    'In UTC with the offset 0, faster than the name; elsewhere told to skip missing hours and ' +
    'to keep repeated ones, as Kron does.',
  parse: (expression) => CronosExpression.parse(expression, { timezone: 0 }),
  schedule(expression, zone) {
    const cron = CronosExpression.parse(expression, {
      timezone: zone === 'UTC' ? 0 : zone,
      skipRepeatedHour: false,
      missingHour: 'skip',
    })
    return { next: (afterMs) => cron.nextDate(new Date(afterMs))?.getTime() ?? Number.NaN }
  },
}
