import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { failureOf } from '../failure.js'
import { searchPath } from '../spawn/spawner.js'

const priorities = { stdout: 'cron.info', stderr: 'cron.err' } as const

/**
 * Starts `logger`, which ends by itself when all writers of its input are gone, so it survives
 * this process as long as the job does. Answers the end that the job writes to.
 */
export async function startSyslogWriter(
  loggerPath: string,
  name: string,
  stream: 'stdout' | 'stderr',
): Promise<Writable> {
  const words = [`--tag=${name}`, `--priority=${priorities[stream]}`]
  try {
    const logger = spawn(loggerPath, words, {
      cwd: '/',
      env: { PATH: searchPath },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await spawned(logger)
    logger.unref()
    return logger.stdin
  } catch (error) {
    throw failureOf(
      error,
      `${stream}=syslog needs ${loggerPath}, which did not start`,
      stream,
      'syslog',
    )
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.on('error', (error) => {
      child.stdin?.destroy()
      reject(error)
    })
    // A logger that died leaves a broken pipe, which is the job's to notice.
    child.stdin?.on('error', () => child.stdin?.destroy())
  })
}
