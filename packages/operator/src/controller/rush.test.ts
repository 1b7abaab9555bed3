import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { passingKubeApi } from '../../testing/kube-api/index.js'

/** KronJobs that are due at ten, of a controller that may have so many requests of 100 ms each. */
async function rushed(kronJobs: number, maxRequests: number) {
  const sent: string[] = []
  const c = new VirtualCluster({
    fateOf: () => null,
    through: (api, clock) =>
      passingKubeApi(api, {
        act: async ({ verb, resource }, effect, signal) => {
          if (verb !== 'list') sent.push(`${verb} ${resource.plural}`)
          await clock.sleep(100)
          return effect(signal)
        },
        follow: (_, open, signal) => open(signal),
      }),
  })
  c.startController({ maxRequests })
  for (let number = 0; number < kronJobs; number++) c.apply(`job-${number}`)
  await c.until('09:59:59')
  sent.length = 0
  c.lines.length = 0
  return { c, sent }
}

const indexesOf = (all: readonly unknown[], what: unknown): number[] =>
  all.flatMap((each, index) => (each === what ? [index] : []))

describe('more KronJobs than can be worked on, due at once', () => {
  it('are started before anything is told or planned of the first ones', async () => {
    const { c, sent } = await rushed(12, 1)
    await c.until('10:00:30')
    const starts = indexesOf(sent, 'create jobs')
    expect(starts).toHaveLength(12)
    expect(indexesOf(sent, 'patch kronjobs')[0]).toBeGreaterThan(starts[10]!)
    const events = c.lines.map(({ event }) => event)
    // Two may be planned meanwhile, so that what is not due does not stand still.
    expect(indexesOf(events, 'decision')[2]).toBeGreaterThan(indexesOf(events, 'started')[9]!)
  })

  it('are all told and planned afterwards', async () => {
    const { c } = await rushed(12, 1)
    await c.until('10:00:30')
    expect(c.logged('decision')).toHaveLength(12)
    for (let number = 0; number < 12; number++) {
      expect(c.status(`job-${number}`)).toMatchObject({
        lastOutcome: 'executed',
        activeCount: 1,
        nextPeriodID: '2026-03-01T11:00:00Z',
      })
    }
  })
})

describe('KronJobs that are due at once', () => {
  it('are worked on beside each other, as many as there may be requests', async () => {
    const { c, sent } = await rushed(12, 8)
    await c.until('10:00:00')
    await c.clock.advanceBy(50)
    expect(sent).toEqual(Array(8).fill('create jobs'))
    await c.clock.advanceBy(100)
    expect(sent.slice(0, 12)).toEqual(Array(12).fill('create jobs'))
  })
})
