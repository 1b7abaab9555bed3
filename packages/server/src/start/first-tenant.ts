import { hashOfKey, newKeyText } from '../access/index.js'
import {
  type CreatedTenant,
  createFirstTenant,
  hasKeys,
  onlyTenant,
  type UseCasePorts,
} from '../use-cases/index.js'

/** Where a key is kept; or why it is not, for people, as the end of a sentence. */
export type KeptKey = { readonly path: string } | { readonly path: null; readonly why: string }

/** Keeps a key where the client of this user looks for it. */
export interface KeyKeeper {
  keep(text: string): Promise<KeptKey>
  /** Takes back what `keep` has just kept. */
  forget(text: string): Promise<void>
}

export interface FirstTenant extends CreatedTenant {
  /** Where its key is kept; null when nobody was asked to keep it. */
  readonly kept: KeptKey | null
}

/**
 * On an empty database: a tenant to begin with, and its key. Nobody may be left with a tenant whose
 * key nobody knows, so the key is kept first, and the tenant is then created with it:
 *
 *  - The key can't be kept (there is one already, the disk is full, the folder is not ours): the
 *    tenant is created all the same, and who started the process sees the key and the reason.
 *  - Dying after the key was kept: the database is as empty as before. The next start finds a key
 *    that was there already, leaves it, and shows the one that it makes.
 *  - Dying after the tenant was created, before it has a key: the next start gives it one.
 *  - Dying after that: the key is where the client finds it.
 *  - The database fails, or another process was faster: what was kept is taken back, unless the
 *    database has the key after all, or can't say.
 */
export async function firstTenant(
  ports: UseCasePorts,
  keeper: KeyKeeper | null = null,
): Promise<FirstTenant | null> {
  // A look without a lock first: most processes find tenants with keys.
  if (!(await isWanted(ports))) return null
  const key = newKeyText()
  const kept = keeper && (await keeper.keep(key.text))
  try {
    const created = await createFirstTenant(ports, { name: 'default', key })
    return created && { ...created, kept }
  } finally {
    if (keeper !== null && kept?.path && (await isUnknown(ports, key.text))) {
      await keeper.forget(key.text)
    }
  }
}

async function isWanted({ store }: UseCasePorts): Promise<boolean> {
  const tenants = await store.system((rows) => rows.tenants(2, null))
  if (tenants.length === 0) return true
  const only = onlyTenant(tenants)
  return only !== null && !(await store.read(only.id, hasKeys))
}

async function isUnknown({ store }: UseCasePorts, text: string): Promise<boolean> {
  const hash = hashOfKey(text)
  return store.system(async (rows) => (await rows.keyByHash(hash)) === null).catch(() => false)
}
