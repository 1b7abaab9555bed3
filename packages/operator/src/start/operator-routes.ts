import { expositionType, type MetricRegistry } from '@kron/runtime'
import { errorReply, jsonReply, type Reply } from '@kron/runtime/listen'
import type { Operator } from './operator.js'

type Shown = Pick<
  Operator,
  'isHealthy' | 'isReady' | 'isLeading' | 'leader' | 'kronJobCount' | 'startedAt'
>

/** What Kubernetes asks its containers, and what Prometheus does. */
export function operatorAnswer(
  operator: Shown,
  metrics: Pick<MetricRegistry, 'expose'>,
  versions: { readonly version: string; readonly tzdata: string },
): (target: string) => Reply {
  const routes: Readonly<Record<string, () => Reply>> = {
    '/healthz': () => {
      const healthy = operator.isHealthy
      return jsonReply({ healthy, ...versions }, healthy ? 200 : 503)
    },
    '/readyz': () => {
      const { isReady: ready, isLeading: leading, leader, kronJobCount: kronJobs } = operator
      return jsonReply({ ready, leading, leader, kronJobs }, ready ? 200 : 503)
    },
    '/metrics': () => ({ status: 200, type: expositionType, body: metrics.expose() }),
  }
  return (target) => {
    const [path = ''] = target.split('?')
    if (Object.hasOwn(routes, path)) return routes[path]!()
    const known = Object.keys(routes).join(', ')
    return errorReply(404, 'KRON_REQUEST_INVALID', `no such path; there are ${known}`)
  }
}
