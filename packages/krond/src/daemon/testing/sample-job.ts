import { compileJob, parseSchedule } from '@kron/core'
import type { RunSettings } from '../../process/index.js'
import type { HostJob } from '../host-job.js'

export interface SampleSettings extends Partial<RunSettings> {
  readonly name?: string
}

/** A job of `/jobs.krontab` with a schedule and nothing else special about it. */
export function sampleJob(schedule: string, settings: SampleSettings = {}): HostJob {
  const { name = 'job', ...others } = settings
  const identity = `/jobs.krontab:${name}`
  const job = compileJob({ ...parseSchedule(schedule, { timezone: 'UTC' }), identity })
  return {
    identity,
    name,
    job,
    settings: {
      command: { kind: 'words', words: ['/bin/job'] },
      account: null,
      cwd: null,
      env: {},
      umask: null,
      timeoutMs: null,
      stdout: { kind: 'discard' },
      stderr: { kind: 'discard' },
      stdin: null,
      ...others,
    },
  }
}
