import { randomUUID } from 'node:crypto'
import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { newSealingKeyText, parseSealingKeys, type SealingKey } from './sealing-key.js'
import { VaultError } from './vault-error.js'

const othersMayRead = 0o077

/** Keys of the file; it is made with a new key, readable only by its owner, if it is not there. */
export async function sealingKeysOfFile(path: string): Promise<readonly SealingKey[]> {
  try {
    if (await isMissing(path)) await makeKeyFile(path)
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
    const why = error instanceof Error ? error.message : String(error)
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

/**
 * Written beside it first, then linked: a crash leaves no half a key, and of two processes that
 * start at once one wins and both read the winner's key.
 */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${newSealingKeyText()}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close().catch(() => {})
    await unlink(draft)
  }
}
