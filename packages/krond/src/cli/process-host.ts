import { processHost as commonHost } from '@kron/command'
import type { Host } from '../command/invocation.js'
import { systemTimezone } from '../crontab/system-timezone.js'
import { replaceFile } from '../edit/replace-file.js'

export { endProcess } from '@kron/command'

/** The process that runs this program. */
export function processHost(): Host {
  return {
    ...commonHost(),
    uid: process.getuid?.() ?? 0,
    timezone: () => systemTimezone(),
    replaceFile,
  }
}
