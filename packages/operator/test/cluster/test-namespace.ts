import type { CommandResult, PlaneAccess } from '../../../../tools/kube/index.ts'
import { eventually } from '../../../../tools/kube/waiting.ts'
import type { KronJob } from '../../src/kronjob/index.js'
import type { KubeObject } from '../../src/kube/index.js'

/** A minute until the next period comes, and then what is to follow. */
const defaultLimitMs = 150_000

export interface Event {
  readonly reason: string
  readonly type: string
  readonly message: string
}

/** A namespace as somebody sees it who has nothing but kubectl. */
export class TestNamespace {
  readonly plane: PlaneAccess
  readonly name: string

  constructor(plane: PlaneAccess, name: string) {
    this.plane = plane
    this.name = name
  }

  static async create(plane: PlaneAccess): Promise<TestNamespace> {
    return new TestNamespace(plane, await plane.createNamespace('kron'))
  }

  /** Whatever comes of it. */
  try(args: readonly string[], input?: string): Promise<CommandResult> {
    const options = input === undefined ? {} : { input }
    return this.plane.kubectl(['-n', this.name, ...args], options)
  }

  /** What it prints; anything but success is an error. */
  async kubectl(...args: readonly string[]): Promise<string> {
    return successful(args, await this.try(args))
  }

  async apply(...objects: readonly object[]): Promise<string> {
    const args = ['apply', '-f', '-']
    const list = { apiVersion: 'v1', kind: 'List', items: objects }
    return successful(args, await this.try(args, JSON.stringify(list)))
  }

  async kronJob(name: string): Promise<KronJob> {
    return JSON.parse(await this.kubectl('get', 'kronjob', name, '-o', 'json')) as KronJob
  }

  /** Of a KronJob, oldest first. */
  async jobsOf(kronJob: string): Promise<KubeObject[]> {
    const selector = `kron.io/name=${kronJob}`
    const listed = await this.kubectl('get', 'jobs', '-l', selector, '-o', 'json')
    const { items } = JSON.parse(listed) as { items: KubeObject[] }
    const period = ({ metadata }: KubeObject) => metadata.annotations!['kron.io/period-id']!
    return items.sort((a, b) => (period(a) < period(b) ? -1 : 1))
  }

  async eventsOf(kronJob: string): Promise<Event[]> {
    const selector = `involvedObject.name=${kronJob},involvedObject.kind=KronJob`
    const listed = await this.kubectl('get', 'events', '--field-selector', selector, '-o', 'json')
    return (JSON.parse(listed) as { items: Event[] }).items
  }

  /** Resolves with the KronJob as soon as it is as it should be. */
  until(
    what: string,
    name: string,
    isSo: (kronJob: KronJob) => boolean,
    limitMs = defaultLimitMs,
  ): Promise<KronJob> {
    return eventually(`${name}: ${what}`, limitMs, async () => {
      const kronJob = await this.kronJob(name)
      return isSo(kronJob) ? kronJob : null
    })
  }

  /** Resolves with its Jobs as soon as there are such. */
  untilJobs(
    what: string,
    kronJob: string,
    isSo: (jobs: readonly KubeObject[]) => boolean,
    limitMs = defaultLimitMs,
  ): Promise<KubeObject[]> {
    return eventually(`${kronJob}: ${what}`, limitMs, async () => {
      const jobs = await this.jobsOf(kronJob)
      return isSo(jobs) ? jobs : null
    })
  }

  untilEvent(kronJob: string, reason: string, limitMs = defaultLimitMs): Promise<Event> {
    return eventually(`${kronJob}: the event ${reason}`, limitMs, async () => {
      const events = await this.eventsOf(kronJob)
      return events.find((event) => event.reason === reason) ?? null
    })
  }
}

function successful(args: readonly string[], { code, stdout, stderr }: CommandResult): string {
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}
