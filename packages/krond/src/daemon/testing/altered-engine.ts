import type { Job } from '@kron/core'
import type { HostJob } from '../host-job.js'

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
