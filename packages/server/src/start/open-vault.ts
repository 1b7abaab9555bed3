import { existsSync } from 'node:fs'
import { loadVault, type Vault, VaultError } from '../secrets/index.js'
import type { SealedSample, Store, SystemTransaction } from '../store/index.js'
import { type DataOptions, keyFileOf } from './serve-options.js'
import { starting } from './start-error.js'

const checkContext = { purpose: 'check', tenantId: null } as const

/**
 * The vault of a database, or a refusal to start. Which keys have sealed something is written in
 * the database, each with a text that it sealed, so a process with another key is noticed before it
 * fails every signed run. Of processes that start at once on an empty database the first one's key
 * is written, and the others must have it too.
 *
 * Dying before the key is written leaves a database without one, in which nothing is sealed either:
 * nobody seals before this has answered.
 */
export function openVault(
  store: Store,
  options: DataOptions,
  { lostKey = false } = {},
): Promise<Vault> {
  return starting('sealing-key', async () => {
    if (lostKey) {
      const vault = await loadVault({ secretKey: options.secretKey, keyFile: keyFileOf(options) })
      await store.system((rows) => forgetOtherKeys(rows, vault))
      return vault
    }
    const vault = await loadedVault(store, options)
    await store.system((rows) => checkKeys(rows, vault))
    return vault
  })
}

/** What lost keys have sealed stays, and opens for nobody until it is set again. */
async function forgetOtherKeys(rows: SystemTransaction, vault: Vault): Promise<void> {
  for (const { id } of await rows.lockSealingKeys()) {
    if (!vault.keyIds.includes(id)) await rows.removeSealingKey(id)
  }
  await rows.addSealingKey(vault.keyIds[0]!, vault.seal('kron', checkContext))
}

/** A key file is created only where nothing is sealed yet: a new key would open none of it. */
async function loadedVault(store: Store, options: DataOptions): Promise<Vault> {
  const { secretKey } = options
  const keyFile = keyFileOf(options)
  const isGiven = (secretKey ?? '') !== '' || existsSync(keyFile)
  if (!isGiven && (await store.system(hasSealed))) {
    throw new VaultError(
      'key_missing',
      `there is no sealing key in ${keyFile}, and the database holds what was sealed with one`,
    )
  }
  return loadVault({ secretKey, keyFile })
}

async function hasSealed(rows: SystemTransaction): Promise<boolean> {
  return (await rows.sealingKeys()).length > 0 || (await rows.sealedSample(null)) !== null
}

async function checkKeys(rows: SystemTransaction, vault: Vault): Promise<void> {
  const known = await rows.lockSealingKeys()
  const [first] = vault.keyIds
  for (const { id, sealed } of known) {
    if (vault.keyIds.includes(id)) vault.open(sealed, checkContext)
    else await giveUpKey(rows, vault, id)
  }
  if (known.some(({ id }) => id === first)) return
  // A database from before keys were written down: what it holds must open.
  if (known.length === 0) openSample(vault, await rows.sealedSample(null))
  await rows.addSealingKey(first!, vault.seal('kron', checkContext))
}

/** A key that nothing is sealed with any more may be taken away, and is forgotten then. */
async function giveUpKey(rows: SystemTransaction, vault: Vault, id: string): Promise<void> {
  if ((await rows.sealedSample(id)) !== null) throw keyUnknown(vault, id)
  const others = (await rows.sealingKeys()).filter((key) => vault.keyIds.includes(key.id))
  // None of the keys given is of this database: it is the wrong one, even where nothing is sealed.
  if (others.length === 0) throw keyUnknown(vault, id)
  await rows.removeSealingKey(id)
}

const keyUnknown = (vault: Vault, id: string): VaultError =>
  new VaultError(
    'key_unknown',
    `the database has headers and secrets that were sealed with key ${id}, which is not among ` +
      `the keys given (${vault.keyIds.join(', ')})`,
  )

function openSample(vault: Vault, sample: SealedSample | null): void {
  if (sample === null) return
  const { sealed, purpose, tenantId } = sample
  vault.open(sealed, { purpose, tenantId })
}
