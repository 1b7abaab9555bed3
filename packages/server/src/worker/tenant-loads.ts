/** What of a worker is left to other tenants, whatever one of them has it do. */
const largestShare = 1 / 2

/**
 * How many runs of each tenant are in flight. A tenant whose targets hang would have all of them
 * otherwise, and nobody else's endpoints would be called until they give up.
 */
export class TenantLoads {
  readonly #share: number
  readonly #loads = new Map<string, number>()

  constructor(maxInFlight: number) {
    this.#share = Math.max(1, Math.floor(maxInFlight * largestShare))
  }

  add(tenantId: string): void {
    this.#loads.set(tenantId, (this.#loads.get(tenantId) ?? 0) + 1)
  }

  /** Whether the tenant had its whole share until now. */
  remove(tenantId: string): boolean {
    const before = this.#loads.get(tenantId)!
    if (before === 1) this.#loads.delete(tenantId)
    else this.#loads.set(tenantId, before - 1)
    return before >= this.#share
  }

  /** Who may not have more, and how many anybody else may have without getting beyond the share. */
  get room(): { readonly without: readonly string[]; readonly most: number } {
    const without: string[] = []
    let largest = 0
    for (const [tenantId, load] of this.#loads) {
      if (load >= this.#share) without.push(tenantId)
      else largest = Math.max(largest, load)
    }
    return { without, most: this.#share - largest }
  }
}
