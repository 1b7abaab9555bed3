import type { Endpoint, EndpointWithPlan } from '../domain/index.js'
import type { TenantTransaction } from '../store/index.js'

/** The other endpoints of the tenant, seen from one. */
export interface Siblings {
  /** How many were looked at. */
  readonly endpoints: number
  /** False when the tenant has more than were looked at. */
  readonly complete: boolean
  readonly failing: number
  /** Those that call the same host. */
  readonly sameHost: number
  readonly sameHostFailing: number
  /** Those that are planned for the same second. */
  readonly sameSecond: number
}

interface Sibling {
  readonly id: string
  readonly host: string
  readonly second: number | null
  readonly isFailing: boolean
}

interface Known {
  readonly readAt: number
  readonly complete: boolean
  readonly siblings: readonly Sibling[]
}

const maxSiblings = 1000
const pageSize = 200
const freshMs = 60_000
const maxTenants = 100

/**
 * Reads the endpoints of a tenant once a minute and not for every session: when a host goes down,
 * hundreds of endpoints ask for attention at the same time.
 */
export class SiblingDirectory {
  readonly #tenants = new Map<string, Known>()

  async around(rows: TenantTransaction, { endpoint, plan }: EndpointWithPlan): Promise<Siblings> {
    const { siblings, complete } = await this.#known(rows)
    const others = siblings.filter(({ id }) => id !== endpoint.id)
    const host = hostOf(endpoint)
    const second = secondOf(plan.nextRunAt)
    const onHost = others.filter((sibling) => sibling.host === host)
    return {
      endpoints: others.length,
      complete,
      failing: others.filter(({ isFailing }) => isFailing).length,
      sameHost: onHost.length,
      sameHostFailing: onHost.filter(({ isFailing }) => isFailing).length,
      sameSecond: others.filter((sibling) => second !== null && sibling.second === second).length,
    }
  }

  async #known(rows: TenantTransaction): Promise<Known> {
    const known = this.#tenants.get(rows.tenantId)
    if (known !== undefined && Math.abs(rows.now - known.readAt) < freshMs) return known
    const read = await readSiblings(rows)
    this.#tenants.delete(rows.tenantId)
    this.#tenants.set(rows.tenantId, read)
    if (this.#tenants.size > maxTenants) {
      const [oldest] = this.#tenants.keys()
      this.#tenants.delete(oldest!)
    }
    return read
  }
}

async function readSiblings(rows: TenantTransaction): Promise<Known> {
  const siblings: Sibling[] = []
  let after: string | null = null
  do {
    const page = await rows.endpoints.list({ limit: pageSize, after, archived: false })
    siblings.push(...page.items.map(siblingOf))
    after = page.next
  } while (after !== null && siblings.length < maxSiblings)
  return { readAt: rows.now, complete: after === null, siblings }
}

function siblingOf({ endpoint, plan }: EndpointWithPlan): Sibling {
  return {
    id: endpoint.id,
    host: hostOf(endpoint),
    second: plan.suspended ? null : secondOf(plan.nextRunAt),
    isFailing: plan.lastStatus === 'failure' || plan.lastStatus === 'timeout',
  }
}

const secondOf = (instant: number | null): number | null =>
  instant === null ? null : Math.floor(instant / 1000)

/** Templates make a URL that only dispatch can read whole; its beginning is enough here. */
function hostOf({ definition }: Endpoint): string {
  return /^https?:\/\/([^/?#]*)/i.exec(definition.url)?.[1]?.toLowerCase() ?? ''
}
