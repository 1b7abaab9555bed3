import { sealingKeysOfFile } from './key-file.js'
import { parseSealingKeys } from './sealing-key.js'
import { createVault, type Vault } from './vault.js'
import { VaultError } from './vault-error.js'

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
