import type { Vault } from '../secrets/index.js'
import type { SecretKey, Store } from '../store/index.js'

/** How long a secret that was read is used when nobody tells that it changed. */
const freshMs = 30_000
const maxKept = 10_000
/** The secret of a tenant whose endpoint names no other. */
export const defaultSecret = 'default'

interface Kept {
  readonly until: number
  secrets: readonly string[] | Promise<readonly string[]>
}

/** Secrets that sign requests, opened, for as long as they may be used without a look. */
export class SigningSecrets {
  readonly #store: Store
  readonly #vault: Vault
  readonly #elapsed: () => number
  readonly #kept = new Map<string, Kept>()

  constructor(store: Store, vault: Vault, elapsed: () => number) {
    this.#store = store
    this.#vault = vault
    this.#elapsed = elapsed
  }

  /** The values that sign now, at once if they are known; none when the tenant has no such secret. */
  get(tenantId: string, name: string | null): readonly string[] | Promise<readonly string[]> {
    const key = keyOf(tenantId, name ?? defaultSecret)
    const kept = this.#kept.get(key)
    if (kept !== undefined && kept.until > this.#elapsed()) return kept.secrets
    const secrets = this.#read(tenantId, name ?? defaultSecret)
    if (this.#kept.size >= maxKept) this.#kept.clear()
    const entry: Kept = { until: this.#elapsed() + freshMs, secrets }
    this.#kept.set(key, entry)
    secrets.then(
      (known) => {
        entry.secrets = known
      },
      // What failed is asked for again by the next run.
      () => {
        if (this.#kept.get(key) === entry) this.#kept.delete(key)
      },
    )
    return secrets
  }

  /** It has changed: the next run reads it, also if a look at what it was is under way. */
  forget({ tenantId, name }: SecretKey): void {
    this.#kept.delete(keyOf(tenantId, name))
  }

  async #read(tenantId: string, name: string): Promise<readonly string[]> {
    return this.#store.tenant(tenantId, async (rows) => {
      const secret = await rows.secrets.read(name)
      if (secret === null) return []
      const valid = secret.values.filter(
        ({ expiresAt }) => expiresAt === null || expiresAt > rows.now,
      )
      return valid.map(({ sealed }) => this.#vault.open(sealed, { purpose: 'secret', tenantId }))
    })
  }
}

const keyOf = (tenantId: string, name: string): string => `${tenantId} ${name}`
