export { loadVault, secretKeyVariable, type VaultOptions } from './key-file.js'
export { newSealingKeyText, parseSealingKeys, type SealingKey } from './sealing-key.js'
export { createVault, type SealContext, type Vault } from './vault.js'
export { VaultError, type VaultErrorCode, vaultErrorCodes } from './vault-error.js'
