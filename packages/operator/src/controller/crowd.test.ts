import { describe, expect, it } from 'vitest'
import { jobs } from '../kube/index.js'
import { passingKubeApi } from '../kube/memory/index.js'
import { VirtualCluster } from './testing/virtual-cluster.js'

/** An API server that takes its time for each answer. */
function slowCluster(answerMs: number): { cluster: VirtualCluster; sent: string[] } {
  const sent: string[] = []
  const cluster = new VirtualCluster({
    through: (api, clock) =>
      passingKubeApi(api, {
        act: async ({ verb, resource }, effect, signal) => {
          if (verb !== 'list') sent.push(`${verb} ${resource.plural}`)
          await clock.sleep(answerMs)
          return effect(signal)
        },
        follow: (_, open, signal) => open(signal),
      }),
  })
  return { cluster, sent }
}

describe('a crowd that is due at once', () => {
  it('is started within its deadline though that takes longer, and told of afterwards', async () => {
    const { cluster, sent } = slowCluster(100)
    cluster.startController()
    const policy = { deadline: '5s' }
    for (let number = 0; number < 500; number++) cluster.apply(`job-${number}`, { policy })
    await cluster.until('09:59:59')
    sent.length = 0
    await cluster.until('10:00:30')
    expect(cluster.jobs()).toHaveLength(500)
    expect(cluster.told().filter((reason) => reason === 'JobCreated')).toHaveLength(500)
    expect(cluster.status('job-499')).toMatchObject({ lastOutcome: 'executed', activeCount: 1 })
    // The last one is asked for before a tenth of what can wait.
    const untilLast = sent.slice(0, sent.lastIndexOf('create jobs') + 1)
    expect(untilLast.filter((request) => request === 'create jobs')).toHaveLength(500)
    expect(untilLast.length).toBeLessThan(550)
  })

  it('is judged again when its turn comes: what has waited beyond its deadline is missed', async () => {
    const { cluster } = slowCluster(100)
    const createdAt: number[] = []
    cluster.api.onChange(({ type, resource }) => {
      if (type === 'ADDED' && resource === jobs) createdAt.push(cluster.clock.now().getTime())
    })
    cluster.startController()
    for (let number = 0; number < 500; number++) cluster.apply(`job-${number}`)
    await cluster.until('10:00:30')
    const outcomes = Array.from({ length: 500 }, (_, n) => cluster.status(`job-${n}`).lastOutcome)
    const executed = outcomes.filter((outcome) => outcome === 'executed')
    expect(executed).toHaveLength(createdAt.length)
    expect(outcomes.filter((outcome) => outcome === 'missed')).toHaveLength(500 - executed.length)
    // Asked for within the second, answered a tenth of a second later.
    expect(Math.max(...createdAt)).toBeLessThan(Date.parse('2026-03-01T10:00:01.100Z'))
    expect(executed.length).toBeGreaterThan(32)
    expect(executed.length).toBeLessThan(500)
  })

  it('is looked at no more often than it changes', async () => {
    const { cluster, sent } = slowCluster(100)
    cluster.startController()
    const policy = { deadline: '5s' }
    for (let number = 0; number < 200; number++) cluster.apply(`job-${number}`, { policy })
    await cluster.until('10:05:00')
    // A first status, a Job, its event, and the status that tells of it.
    expect(sent).toHaveLength(4 * 200)
    await cluster.until('10:55:00')
    expect(sent).toHaveLength(4 * 200)
  })
})
