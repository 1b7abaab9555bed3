import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import type { ControllerPorts } from '../../src/controller/ports.js'
import type { GuardableKubeApi } from '../../src/kube/index.js'
import { MemoryKubeApi } from '../kube-api/index.js'
import { at } from './samples.js'
import { notingObserver } from './virtual-cluster.js'

export interface SampleWorld extends ControllerPorts {
  readonly clock: VirtualClock
  /** What was logged. */
  readonly lines: Record<string, unknown>[]
  /** What was counted, but for how often something was looked at. */
  readonly observed: string[]
}

/** A world at half past ten, with an API server in memory unless another one is given. */
export function sampleWorld(
  api?: GuardableKubeApi,
  isLeading: () => boolean = () => true,
  clock = new VirtualClock(at('10:30:00')),
): SampleWorld {
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    format: 'json',
    level: 'debug',
    component: 'test',
    clock,
    write: (line) => lines.push(JSON.parse(line)),
  })
  const observed: string[] = []
  const observer = notingObserver(observed)
  return {
    api: api ?? new MemoryKubeApi({ clock }),
    clock,
    log,
    observer,
    isLeading,
    lines,
    observed,
  }
}
