import { compileJob, type Job, parseSchedule } from '@kron/core'
import type { HostJob } from '../../src/daemon/job-record.js'
import type { RunSettings } from '../../src/process/index.js'

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

/** The job with an engine of which some methods answer otherwise. */
export function alteredEngine(hostJob: HostJob, methods: Partial<Job>): HostJob {
  const job = new Proxy(hostJob.job, {
    get(target, name) {
      const altered: unknown = Reflect.get(methods, name)
      if (altered !== undefined) return altered
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { ...hostJob, job }
}
