import type { Counter, Labelled, MetricRegistry } from '@kron/runtime'
import type { HeldSession } from './session.js'

export class PlannerMetrics {
  readonly #sessions: Labelled<'planner' | 'result', Counter>
  readonly #actions: Labelled<'planner' | 'action', Counter>

  constructor(registry: MetricRegistry) {
    this.#sessions = registry.counter({
      name: 'kron_planner_sessions_total',
      help: 'Sessions of planners: acted, suggested, quiet, refused, passed over, or failed.',
      labels: ['planner', 'result'],
    })
    this.#actions = registry.counter({
      name: 'kron_planner_actions_total',
      help: 'What planners did.',
      labels: ['planner', 'action'],
    })
  }

  count(planner: string, held: HeldSession): void {
    this.#sessions.with({ planner, result: resultOf(held) }).increment()
    if (held.kind === 'passed') return
    for (const { kind } of held.session.actions) {
      this.#actions.with({ planner, action: kind }).increment()
    }
  }

  failed(planner: string): void {
    this.#sessions.with({ planner, result: 'failed' }).increment()
  }
}

function resultOf(held: HeldSession): string {
  if (held.kind === 'passed') return 'passed'
  if (held.error !== null) return 'failed'
  if (held.session.actions.length > 0) return 'acted'
  if (held.session.suggested.length > 0) return 'suggested'
  return held.session.refused.length > 0 ? 'refused' : 'quiet'
}
