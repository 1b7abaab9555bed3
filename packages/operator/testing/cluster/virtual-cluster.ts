import { formatInstant } from '@kron/core'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { Controller } from '../../src/controller/controller.js'
import { defaultOptions, type Observer } from '../../src/controller/ports.js'
import type { KronJob, KronJobSpec } from '../../src/kronjob/index.js'
import { applyDefaults } from '../../src/kronjob/schema/kron-job-schema.js'
import {
  type ApiFailure,
  events,
  type GuardableKubeApi,
  jobs,
  type KubeApi,
  type KubeObject,
  kronJobs,
  type Resource,
} from '../../src/kube/index.js'
import { type JobFate, JobWorld, MemoryKubeApi } from '../kube-api/index.js'

export const start = Date.UTC(2026, 2, 1, 9, 59, 30)

export interface VirtualClusterOptions {
  readonly at?: number
  readonly fateOf?: (job: KubeObject) => JobFate | null
  readonly terminationMs?: number
  /** Why the API server does not take a Job at the moment; null if it does. */
  readonly refusal?: (now: number) => ApiFailure | null
  /** What the controllers see of the API server. */
  readonly through?: (api: MemoryKubeApi, clock: VirtualClock) => GuardableKubeApi
}

export interface VirtualControllerOptions {
  readonly api?: KubeApi
  readonly isLeading?: () => boolean
  readonly observer?: Partial<Observer>
  readonly maxRequests?: number
}

/** A cluster in memory with any number of controllers, on a clock that tests move. */
export class VirtualCluster {
  readonly clock: VirtualClock
  readonly api: MemoryKubeApi
  readonly world: JobWorld
  readonly lines: Record<string, unknown>[] = []
  /** What the controllers counted. */
  readonly observed: string[] = []
  readonly #options: VirtualClusterOptions

  constructor(options: VirtualClusterOptions = {}) {
    this.#options = options
    this.clock = new VirtualClock(options.at ?? start)
    const defaults = (_: unknown, object: KubeObject): KubeObject =>
      object.kind === kronJobs.kind ? (applyDefaults(object) as KubeObject) : object
    const validate = (resource: Resource): null => {
      const refusal = options.refusal?.(this.clock.now().getTime()) ?? null
      if (resource === jobs && refusal !== null) throw refusal
      return null
    }
    this.api = new MemoryKubeApi({ clock: this.clock, garbageDelayMs: 200, defaults, validate })
    const { fateOf, terminationMs } = options
    this.world = new JobWorld({
      api: this.api,
      clock: this.clock,
      ...(fateOf !== undefined && { fateOf }),
      ...(terminationMs !== undefined && { terminationMs }),
    })
  }

  /** A controller until the returned function is called. */
  startController(options: VirtualControllerOptions = {}): {
    readonly controller: Controller
    stop(): Promise<void>
  } {
    const { clock } = this
    const api = options.api ?? this.#options.through?.(this.api, clock) ?? this.api
    const log = createLog({
      format: 'json',
      level: 'debug',
      component: 'kron-operator',
      clock,
      write: (line) => this.lines.push(JSON.parse(line)),
    })
    const isLeading = options.isLeading ?? (() => true)
    const observer = { ...notingObserver(this.observed), ...options.observer }
    const world = { api, clock, log, observer, isLeading }
    const { maxRequests } = { ...defaultOptions, ...options }
    const controller = new Controller(world, { ...defaultOptions, maxRequests })
    const end = new AbortController()
    const running = controller.run(end.signal)
    return {
      controller,
      stop: async () => {
        end.abort('stopped')
        await running
      },
    }
  }

  apply(name: string, spec: WrittenSpec = {}, namespace = 'default'): KronJob {
    const object = { metadata: { name, namespace }, spec: { ...hourly, ...spec } }
    return this.api.objects.create(kronJobs, object as unknown as KubeObject) as KronJob
  }

  change(name: string, spec: object, namespace = 'default'): void {
    this.api.objects.patch(kronJobs, { namespace, name }, { spec })
  }

  kronJob(name: string, namespace = 'default'): KronJob {
    return this.api.objects.get(kronJobs, { namespace, name }) as KronJob
  }

  status(name: string) {
    return this.kronJob(name).status ?? {}
  }

  condition(name: string, type: string) {
    return this.status(name).conditions?.find((condition) => condition.type === type)
  }

  /** Periods of the Jobs there are, oldest first. */
  periods(): string[] {
    return this.jobs()
      .map(({ metadata }) => metadata.annotations?.['kron.io/period-id'] ?? metadata.name)
      .sort()
  }

  jobs(): readonly KubeObject[] {
    return this.api.objects.all(jobs)
  }

  /** `reason message` of all events, as kubectl describe would have them. */
  told(): string[] {
    return this.api.objects.all(events).map((event) => `${event['reason']}`)
  }

  messages(): string[] {
    return this.api.objects.all(events).map((event) => `${event['reason']}: ${event['message']}`)
  }

  logged(event: string): Record<string, unknown>[] {
    return this.lines.filter((line) => line['event'] === event)
  }

  /** As somebody does who clears it by hand. */
  eraseStatus(name: string): void {
    const status = { subresource: 'status' } as const
    this.api.objects.patch(kronJobs, { namespace: 'default', name }, { status: null }, status)
  }

  async until(time: string): Promise<void> {
    const day = formatInstant(start).slice(0, 11)
    await this.clock.advanceTo(Date.parse(time.includes('T') ? time : `${day}${time}Z`))
  }
}

export const template = {
  spec: {
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/backup' }] },
    },
  },
}

/** As somebody has written it, right or wrong. */
export type WrittenSpec = Partial<Record<keyof KronJobSpec, unknown>>

const hourly: WrittenSpec = { schedule: '0 * * * *', jobTemplate: template }

/** Notes all but how often something was looked at. */
export function notingObserver(observed: string[]): Observer {
  return {
    handled: (outcome) => void observed.push(`handled ${outcome}`),
    started: (lateMs) => void observed.push(`started ${lateMs}`),
    ended: (state) => void observed.push(`ended ${state}`),
    failed: (operation) => void observed.push(`failed ${operation}`),
    reconciled: () => undefined,
  }
}
