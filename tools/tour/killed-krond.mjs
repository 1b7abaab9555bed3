import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const krond = fileURLToPath(new URL('../../packages/krond/bin/krond.mjs', import.meta.url))
const name = 'hello.krontab'
const longestMs = 30_000

export const krontab =
  '0 0 * * * @policy(deadline=24h,first=run) name=hello command="echo hello from the job"'

/**
 * A real krond with one job that is due. It is killed without warning after the job has run, and
 * another krond takes its place. `tell` is called with each line of their log, and with null at the
 * kill; the answer is the output of `krond audit` for the log.
 */
export async function killedKrond(tell) {
  const folder = mkdtempSync(join(tmpdir(), 'kron-tour-'))
  const log = []
  try {
    writeFileSync(join(folder, name), `${krontab}\n`, { mode: 0o600 })
    const live = async (lastEvent, signal) => {
      const words = ['start', '--file', name, '--state', 'state', '--format', 'json']
      const daemon = spawn(process.execPath, [krond, ...words], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const closed = once(daemon, 'close')
      const patience = setTimeout(() => daemon.kill('SIGKILL'), longestMs)
      for await (const text of createInterface({ input: daemon.stdout })) {
        log.push(text)
        const line = JSON.parse(text)
        tell(line)
        if (line.event === lastEvent) daemon.kill(signal)
      }
      await closed
      clearTimeout(patience)
    }
    await live('completed', 'SIGKILL')
    tell(null)
    await live('decision', 'SIGTERM')
    const input = `${log.join('\n')}\n`
    return spawnSync(process.execPath, [krond, 'audit', '-'], { input, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
