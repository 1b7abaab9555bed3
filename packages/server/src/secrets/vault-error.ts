export const vaultErrorCodes = {
  key_missing: 'no key to seal with was given',
  key_invalid: 'a key is not 32 bytes in base 64',
  key_file_unsafe: 'the key file can be read by others',
  key_file_unreadable: "the key file can't be read or created",
  key_unknown: 'the text was sealed with a key that is not among those given',
  sealed_invalid: 'the text was not sealed by this program, was changed, or belongs elsewhere',
} as const

export type VaultErrorCode = keyof typeof vaultErrorCodes

/** What was sealed can't be opened, or nothing can be sealed. It never tells the contents. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
