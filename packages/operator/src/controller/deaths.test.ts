import { describe, expect, it } from 'vitest'
import { endState, type Scenario, scenarios } from '../../testing/cluster/scenarios.js'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { MortalKubeApi } from '../../testing/kube-api/index.js'

/** As long as another one waits for the lease of a dead leader. */
const leaseMs = 15_000

/** Told by who did it, and by nobody if that one dies. */
const toldInPassing = ['JobAlreadyExists', 'Replaced']

async function playedWithDeath(scenario: Scenario, call: number, when: 'before' | 'after') {
  const cluster = new VirtualCluster(scenario.options)
  const mortal = new MortalKubeApi(cluster.api)
  mortal.dieAt(call, when)
  cluster.startController({ api: mortal })
  let successor: { stop(): Promise<void> } | null = null
  void mortal.died
    .then(() => cluster.clock.sleep(leaseMs))
    .then(() => {
      successor = cluster.startController()
    })
  await scenario.play(cluster)
  const state = endState(cluster, toldInPassing)
  await (successor as { stop(): Promise<void> } | null)?.stop()
  return { state, mortal, cluster }
}

describe.each(scenarios)('$name', (scenario) => {
  it('ends the same, wherever the controller dies', async () => {
    const undisturbed = await playedWithDeath(scenario, Number.POSITIVE_INFINITY, 'before')
    const calls = undisturbed.mortal.calls.length
    let deaths = 0
    for (let call = 1; call <= calls; call++) {
      for (const when of ['before', 'after'] as const) {
        const { state, mortal } = await playedWithDeath(scenario, call, when)
        if (mortal.isDead) deaths++
        const what = `died ${when} call ${call}`
        expect({ what, ...state }).toEqual({ what, ...undisturbed.state })
      }
    }
    // Nobody dies after a watch that has nothing to tell.
    expect(deaths).toBeGreaterThan(calls)
  })

  it('ends the same with two controllers that both believe they lead', async () => {
    const alone = await playedWithDeath(scenario, Number.POSITIVE_INFINITY, 'before')
    const cluster = new VirtualCluster(scenario.options)
    cluster.startController()
    cluster.startController()
    await scenario.play(cluster)
    expect(endState(cluster, toldInPassing)).toEqual(alone.state)
  })
})
