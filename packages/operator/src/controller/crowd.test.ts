import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { passingKubeApi } from '../../testing/kube-api/index.js'

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
  it('is started in its second though its creation takes longer, and told of afterwards', async () => {
    const { cluster, sent } = slowCluster(100)
    cluster.startController()
    for (let number = 0; number < 500; number++) cluster.apply(`job-${number}`)
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

  it('is judged by the clock again when starting it takes more than a minute', async () => {
    const { cluster } = slowCluster(10_000)
    cluster.startController()
    for (let number = 0; number < 500; number++) cluster.apply(`job-${number}`)
    await cluster.until('10:30:00')
    const outcomes = Array.from({ length: 500 }, (_, n) => cluster.status(`job-${n}`).lastOutcome)
    const executed = outcomes.filter((outcome) => outcome === 'executed')
    expect(executed.length).toBeGreaterThan(50)
    expect(executed.length).toBeLessThan(300)
    expect(outcomes.filter((outcome) => outcome === 'missed')).toHaveLength(500 - executed.length)
    expect(cluster.jobs()).toHaveLength(executed.length)
  })

  it('is looked at no more often than it changes', async () => {
    const { cluster, sent } = slowCluster(100)
    cluster.startController()
    for (let number = 0; number < 200; number++) cluster.apply(`job-${number}`)
    await cluster.until('10:05:00')
    // A question about its template, a first status, a Job, its event, the status that tells it.
    expect(sent).toHaveLength(5 * 200)
    await cluster.until('10:55:00')
    expect(sent).toHaveLength(5 * 200)
  })
})
