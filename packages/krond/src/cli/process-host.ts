import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { systemClock, type TextOutput } from '@kron/runtime'
import { systemTimezone } from '../crontab/system-timezone.js'
import { replaceFile } from '../edit/replace-file.js'
import { systemFiles } from '../krontab/index.js'
import type { Host } from './host.js'

const usualColumns = 80

/** The process that runs this program. */
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
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
  }
}

function outputTo(stream: NodeJS.WriteStream): TextOutput {
  // A reader that has seen enough, such as head, closes the pipe: that is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 4)
  })
  return {
    write: (text) => void stream.write(text),
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.isTTY === true ? stream.columns || usualColumns : usualColumns
    },
  }
}
