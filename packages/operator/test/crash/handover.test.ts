import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { eventually } from '../../../../tools/kube/waiting.ts'
import { clusterJob } from '../cluster/cluster-job.js'
import type { OperatorProcess } from '../cluster/operator-process.js'
import { Site } from '../cluster/site.js'
import { TestNamespace } from '../cluster/test-namespace.js'

/** Longer than anything waits before it is sent. */
const quietMs = 300
/** A slow machine takes ten times as long. */
const timeout = 1_200_000
const writeLimitMs = 180_000

interface LeaseSpec {
  readonly holderIdentity?: string
  readonly renewTime: string
  readonly acquireTime: string
}

/** A controller that waits for the lease or has it, on a line of its own. */
interface Candidate {
  readonly site: Site
  readonly process: OperatorProcess
}

describe.skipIf(controlPlaneAbsent())('leadership among real processes', () => {
  let namespace: TestNamespace
  let sites: Site[] = []

  beforeEach(async () => {
    namespace = await TestNamespace.create(await sharedControlPlane())
    sites = [await Site.openIn(namespace), await Site.openIn(namespace)]
  })

  afterEach(() => Promise.all(sites.map((site) => site.close())))

  async function leaseNow(): Promise<LeaseSpec> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace.name}/leases/kron-operator`
    return (await namespace.plane.client.demand<{ spec: LeaseSpec }>('GET', path)).spec
  }

  const holder = async (): Promise<string> => (await leaseNow()).holderIdentity ?? ''

  /** The one that leads comes first. */
  async function startTwo(
    start: (site: Site) => OperatorProcess,
  ): Promise<[leader: Candidate, other: Candidate]> {
    const [first, second] = sites.map((site) => ({ site, process: start(site) }))
    const leader = await eventually('a leader', 120_000, () => {
      return [first!, second!].find(({ process }) => process.lines('ready').length > 0) ?? null
    })
    const other = leader === first ? second! : first!
    await other.process.logged('start')
    return [leader, other]
  }

  const startReal = (site: Site): OperatorProcess => site.start('--lease-duration', '4s')

  /** Until the other one holds the lease and has read everything; answers the lease. */
  async function takenOver({ process }: Candidate, before: string): Promise<LeaseSpec> {
    const lease = await eventually('another holder', 120_000, async () => {
      const now = await leaseNow()
      return now.holderIdentity && now.holderIdentity !== before ? now : null
    })
    await process.logged('ready')
    return lease
  }

  it('passes on when the leader is killed, and not before its lease is over', async () => {
    const [leader, other] = await startTwo(startReal)
    const before = await holder()
    expect(leader.process.lines('leading')[0]).toMatchObject({ lease_holder: before })
    leader.process.signal('SIGKILL')
    await leader.process.ended
    const { renewTime } = await leaseNow()
    const { acquireTime } = await takenOver(other, before)
    expect(Date.parse(acquireTime) - Date.parse(renewTime)).toBeGreaterThanOrEqual(4000)
  })

  it('passes on without waiting when the leader is asked to stop', async () => {
    const [leader, other] = await startTwo((site) => site.start('--lease-duration', '60s'))
    const { holderIdentity, renewTime } = await leaseNow()
    leader.process.signal('SIGTERM')
    const { acquireTime } = await takenOver(other, holderIdentity ?? '')
    expect(Date.parse(acquireTime)).toBeLessThan(Date.parse(renewTime) + 60_000)
    expect(await leader.process.ended).toBe(0)
  })

  it('ends the term of a leader that gets no answers, before another one leads', async () => {
    const [leader, other] = await startTwo(startReal)
    const before = await holder()
    leader.site.gateway.mute()
    await takenOver(other, before)
    const lost = await leader.process.logged('leadership_lost')
    const took = other.process.lines('leading')[0]!
    expect(Date.parse(lost.time)).toBeLessThan(Date.parse(took.time))
    // Also then it ends when it is asked to.
    expect(await leader.process.stop()).toBe(0)
  })

  // A crowd has to be through before the next one comes, on a busy machine too.
  it.each<[string, number, string, (leader: Candidate) => Promise<void>]>([
    ['in a quiet moment', 4, '* * * * *', untilIdle],
    ['while a crowd is being started', 24, '*/3 * * * *', nextWrite],
  ])('does not let a leader act that was frozen %s', { timeout }, async (...parameters) => {
    const [, count, schedule, moment] = parameters
    const factor = 30 / (await sites[0]!.slowness())
    const pace = { since: Date.now(), factor }
    const names = Array.from({ length: count }, (_, index) => `job-${index}`)
    await namespace.apply(
      ...names.map((name) =>
        clusterJob(name, {
          schedule,
          policy: { concurrency: 'allow', deadline: '50s' },
          successfulJobsHistoryLimit: 0,
        }),
      ),
    )
    // Two minutes of their clock are four seconds, or more on a busy machine.
    const candidates = await startTwo((site) => site.startFast(pace, '--lease-duration', '2m'))
    let [leader, other] = candidates
    for (let freeze = 0; freeze < 2; freeze++) {
      await nextWrite(leader)
      await untilIdle(leader)
      await moment(leader)
      leader.process.signal('SIGSTOP')
      const from = other.process.log.length
      await other.process.logged('ready', from)
      await nextWrite(other)
      const thawedAt = Date.now()
      const lines = leader.process.log.length
      leader.process.signal('SIGCONT')
      await leader.process.logged('leadership_lost', lines)
      // Long enough for several periods, all of which it knows of.
      for (let writes = 0; writes < 20; writes++) await nextWrite(other)
      const late = leader.site.gateway.writes.filter(({ at }) => at >= thawedAt)
      // It may have stood still between its last look at the lease and the socket, once.
      expect(late.length).toBeLessThanOrEqual(1)
      ;[leader, other] = [other, leader]
    }
    expect(periodsCreated().length).toBeGreaterThan(10)
    expect(new Set(periodsCreated()).size).toBe(periodsCreated().length)
    expect(sites.flatMap((site) => site.forbidden())).toEqual([])
  })

  /** Nothing is under way, and nothing has been for a while. */
  async function untilIdle({ site }: Candidate): Promise<void> {
    await eventually('a quiet moment', writeLimitMs, () => {
      const recent = site.gateway.writes.slice(-50)
      const isOver = recent.every(({ status }) => status !== null)
      return (isOver && Date.now() - (recent.at(-1)?.at ?? 0) > quietMs) || null
    })
  }

  async function nextWrite({ site }: Candidate): Promise<void> {
    const before = site.gateway.writes.length
    const hasMore = () => site.gateway.writes.length > before || null
    await eventually('a write', writeLimitMs, hasMore)
  }

  /** `name period` of each Job that the API server has created, for whomever. */
  function periodsCreated(): string[] {
    const writes = sites.flatMap(({ gateway }) => gateway.writes)
    return writes
      .filter(({ method, path, status }) => {
        return method === 'POST' && path.endsWith('/jobs') && status === 201
      })
      .map(({ body }) => {
        const { labels, annotations } = JSON.parse(body).metadata
        return `${labels['kron.io/name']} ${annotations['kron.io/period-id']}`
      })
  }
})
