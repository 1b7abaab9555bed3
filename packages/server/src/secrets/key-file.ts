import { readFile, stat } from 'node:fs/promises'
import { messageOf } from '@kron/runtime'
import { createPrivateFile } from './private-file.js'
import { newSealingKeyText, parseSealingKeys, type SealingKey } from './sealing-key.js'
import { createVault, type Vault } from './vault.js'
import { VaultError } from './vault-error.js'

const othersMayRead = 0o077

/** Keys of the file; it is created with a new key, readable only by its owner, if it is missing. */
export async function sealingKeysOfFile(path: string): Promise<readonly SealingKey[]> {
  try {
    // Of two processes that start at once one creates it, and both read what it holds.
    if (await isMissing(path)) await createPrivateFile(path, `${newSealingKeyText()}\n`)
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & othersMayRead) !== 0) {
      const found = (mode & 0o777).toString(8)
      throw new VaultError(
        'key_file_unsafe',
        `the key file ${path} must be readable by its owner only (mode 600), its mode is ${found}`,
      )
    }
    return parseSealingKeys(await readFile(path, 'utf8'), `the key file ${path}`)
  } catch (error) {
    if (error instanceof VaultError) throw error
    const why = messageOf(error)
    throw new VaultError('key_file_unreadable', `the key file ${path} can't be used: ${why}`, {
      cause: error,
    })
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await stat(path)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

export const secretKeyVariable = 'KRON_SECRET_KEY'

export interface VaultOptions {
  /** The value of KRON_SECRET_KEY; it wins over the file. */
  readonly secretKey?: string | undefined
  readonly keyFile?: string | undefined
}

export async function loadVault({ secretKey, keyFile }: VaultOptions): Promise<Vault> {
  if (secretKey !== undefined && secretKey !== '') {
    return createVault(parseSealingKeys(secretKey, secretKeyVariable))
  }
  if (keyFile !== undefined) return createVault(await sealingKeysOfFile(keyFile))
  throw new VaultError(
    'key_missing',
    `set ${secretKeyVariable} to 32 random bytes in base 64, or name a key file`,
  )
}
