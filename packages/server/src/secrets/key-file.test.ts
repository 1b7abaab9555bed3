import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadVault, newSealingKeyText } from './index.js'

const context = { purpose: 'secret', tenantId: 'ten_1' } as const

describe('the key file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-vault-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is made on the first start, for its owner only, and used again on the next', async () => {
    const keyFile = join(folder, 'key')
    const sealed = (await loadVault({ keyFile })).seal('text', context)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect((await loadVault({ keyFile })).open(sealed, context)).toBe('text')
    expect(await readdir(folder)).toEqual(['key'])
  })

  it('is one and the same for processes that start at once', async () => {
    const keyFile = join(folder, 'key')
    const vaults = await Promise.all(Array.from({ length: 8 }, () => loadVault({ keyFile })))
    const sealed = vaults.map((vault) => vault.seal('text', context))
    for (const text of sealed) expect(vaults[0]!.open(text, context)).toBe('text')
    expect(await readdir(folder)).toEqual(['key'])
  })

  it('is refused when others can read it', async () => {
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, newSealingKeyText())
    await chmod(keyFile, 0o640)
    await expect(loadVault({ keyFile })).rejects.toMatchObject({ code: 'key_file_unsafe' })
  })

  it('is refused when it holds no key, and is left as it is', async () => {
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, 'nonsense', { mode: 0o600 })
    await expect(loadVault({ keyFile })).rejects.toMatchObject({ code: 'key_invalid' })
    expect(await readFile(keyFile, 'utf8')).toBe('nonsense')
  })

  it('can not be made in a folder that does not exist', async () => {
    const keyFile = join(folder, 'none', 'key')
    await expect(loadVault({ keyFile })).rejects.toMatchObject({ code: 'key_file_unreadable' })
  })

  it('gives way to a key from the environment', async () => {
    const secretKey = newSealingKeyText()
    const keyFile = join(folder, 'key')
    const sealed = (await loadVault({ secretKey, keyFile })).seal('text', context)
    expect((await loadVault({ secretKey })).open(sealed, context)).toBe('text')
    expect(await readdir(folder)).toEqual([])
  })
})

it('nothing is sealed without any key', async () => {
  await expect(loadVault({})).rejects.toMatchObject({ code: 'key_missing' })
  await expect(loadVault({ secretKey: '' })).rejects.toMatchObject({ code: 'key_missing' })
})
