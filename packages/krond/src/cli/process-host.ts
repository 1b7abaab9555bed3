import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { processOutput, systemFiles } from '@kron/command'
import { systemClock } from '@kron/runtime'
import { systemTimezone } from '../crontab/system-timezone.js'
import { replaceFile } from '../edit/replace-file.js'
import type { Host } from './host.js'

/** The process that runs this program. */
export { endProcess } from '@kron/command'

export function processHost(): Host {
  return {
    clock: systemClock(),
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    uid: process.getuid?.() ?? 0,
    timezone: () => systemTimezone(),
    files: systemFiles,
    writeFile: (path, content) => writeFileSync(path, content),
    replaceFile,
    stdout: processOutput(process.stdout),
    stderr: processOutput(process.stderr),
  }
}
