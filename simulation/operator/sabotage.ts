import type { KubeApi } from '../../packages/operator/src/kube/index.js'
import type { OperatorPorts } from '../../packages/operator/src/start/operator.js'
import type { Life } from './life.js'

/** Something wrong with an operator, to see that it is noticed. */
export interface Sabotage {
  /** What it sends, and what it gets as an answer. */
  readonly api: (api: KubeApi) => KubeApi
  readonly ports: (ports: OperatorPorts, life: Life) => OperatorPorts
}

export const none: Sabotage = { api: (api) => api, ports: (ports) => ports }
