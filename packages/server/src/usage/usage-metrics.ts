import type { Gauge, MetricRegistry } from '@kron/runtime'
import type { SystemQuotas, SystemUsage } from '../domain/index.js'

const usedOf = [
  ['runsPerMonth', 'runs'],
  ['aiCallsPerMonth', 'aiCalls'],
  ['aiTokensPerMonth', 'aiTokens'],
] as const satisfies readonly (readonly [keyof SystemQuotas, keyof SystemUsage])[]

interface QuotaGauges {
  with(labels: { readonly quota: keyof SystemQuotas }): Gauge
}

export class UsageMetrics {
  readonly #used: QuotaGauges
  readonly #limits: QuotaGauges

  constructor(registry: MetricRegistry) {
    this.#used = registry.gauge({
      name: 'kron_system_usage',
      help: 'What all tenants together have used this month, by quota.',
      labels: ['quota'],
    })
    this.#limits = registry.gauge({
      name: 'kron_system_quota',
      help: 'What all tenants together may use in a month, where there is a limit, by quota.',
      labels: ['quota'],
    })
  }

  show(quotas: SystemQuotas, usage: SystemUsage): void {
    for (const [quota, used] of usedOf) {
      this.#used.with({ quota }).set(usage[used])
      const limit = quotas[quota]
      if (limit !== null) this.#limits.with({ quota }).set(limit)
    }
  }
}
