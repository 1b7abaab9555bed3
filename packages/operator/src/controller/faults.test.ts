import { describe, expect, it } from 'vitest'
import { endState, type Scenario, scenarios } from '../../testing/cluster/scenarios.js'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import {
  type ApiCall,
  everyFaultKind,
  type FaultPlan,
  FaultyKubeApi,
} from '../../testing/kube-api/index.js'

interface Played {
  readonly state: object
  readonly calls: readonly ApiCall[]
  readonly cluster: VirtualCluster
}

async function played(scenario: Scenario, plan: FaultPlan | null): Promise<Played> {
  let faulty: FaultyKubeApi | null = null
  const cluster = new VirtualCluster({
    ...scenario.options,
    through: (api, clock) => {
      faulty = new FaultyKubeApi(api, clock, plan)
      return faulty
    },
  })
  const { stop } = cluster.startController()
  await scenario.play(cluster)
  const state = endState(cluster)
  await stop()
  return { state, calls: (faulty as FaultyKubeApi | null)?.calls ?? [], cluster }
}

describe.each(scenarios)('$name', (scenario) => {
  it('ends the same, whatever fails at any call', async () => {
    const { state, calls } = await played(scenario, null)
    expect(calls.length).toBeGreaterThan(5)
    for (const fault of everyFaultKind) {
      for (let call = 1; call <= calls.length; call++) {
        const { state: faultyState } = await played(scenario, { call, fault })
        const { verb, resource } = calls[call - 1]!
        const what = `${fault} at call ${call}: ${verb} ${resource.plural}`
        expect({ what, ...faultyState }).toEqual({ what, ...state })
      }
    }
  })

  it('runs nothing twice', async () => {
    const { cluster } = await played(scenario, null)
    const names = cluster.world.runs.map(({ job }) => job.name)
    expect(new Set(names).size).toBe(names.length)
  })
})
