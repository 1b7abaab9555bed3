import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SampleStore } from '../../testing/sample-store.js'
import type { SecretValue } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys, VaultError } from '../secrets/index.js'
import { type Store, StoreError, type TenantTransaction } from '../store/index.js'
import { SigningSecrets } from './signing-secrets.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const otherTenant = 'ten_00000000000000000000000002'

let sample: SampleStore
/** What the next looks at the store end with; none is left when they succeed. */
let failures: Error[]
let looks: number
let elapsed: number
let secrets: SigningSecrets

beforeEach(async () => {
  sample = await SampleStore.open()
  failures = []
  looks = 0
  elapsed = 5_000
  const tenant: Store['tenant'] = async (tenantId, work) => {
    looks++
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return sample.store.tenant(tenantId, work)
  }
  secrets = new SigningSecrets({ tenant } as Partial<Store> as Store, vault, () => elapsed)
})

afterEach(async () => {
  await sample.store.close()
})

async function put(
  texts: readonly (readonly [text: string, expiresAt: number | null])[],
  name = 'default',
  tenantId = sample.tenantId,
  sealedFor = tenantId,
): Promise<void> {
  const at = sample.now
  const values = texts.map(([text, expiresAt]): SecretValue => {
    const sealed = vault.seal(text, { purpose: 'secret', tenantId: sealedFor })
    return { sealed, createdAt: at, expiresAt }
  })
  const id = `sec_${name.padStart(26, '0')}`
  await sample.store.tenant(tenantId, (rows) =>
    rows.secrets.put({ id, tenantId, name, version: 1, createdAt: at, updatedAt: at, values }),
  )
}

const own = () => secrets.get(sample.tenantId, null)

describe('secrets that sign', () => {
  it('are opened, and are the ones named `default` where no name is given', async () => {
    await put([['usual', null]])
    await put([['special', null]], 'special')
    expect(await own()).toEqual(['usual'])
    expect(await secrets.get(sample.tenantId, 'default')).toEqual(['usual'])
    expect(await secrets.get(sample.tenantId, 'special')).toEqual(['special'])
  })

  it('are none where the tenant has no such secret', async () => {
    await put([['usual', null]])
    expect(await secrets.get(sample.tenantId, 'missing')).toEqual([])
  })

  it('are kept in no number that grows for ever', async () => {
    const rows = { now: 5, secrets: { read: async () => null } } as unknown as TenantTransaction
    let read = 0
    const tenant: Store['tenant'] = (_tenantId, work) => {
      read++
      return work(rows)
    }
    const many = new SigningSecrets({ tenant } as Partial<Store> as Store, vault, () => 0)
    const look = (n: number) => many.get(sample.tenantId, `secret ${n}`)
    for (let n = 0; n < 10_000; n++) await look(n)
    await look(0)
    expect(read).toBe(10_000)
    await look(10_000)
    await look(0)
    expect(read).toBe(10_002)
  })

  it('are those of the tenant alone', async () => {
    await sample.addTenant(otherTenant)
    await put([['ours', null]])
    await put([['theirs', null]], 'default', otherTenant)
    expect(await own()).toEqual(['ours'])
    expect(await secrets.get(otherTenant, null)).toEqual(['theirs'])
  })

  it('leave out values that have expired by the database time', async () => {
    await put([
      ['new', null],
      ['old', sample.now + 1],
      ['expired', sample.now],
    ])
    expect(await own()).toEqual(['new', 'old'])
    elapsed += 30_000
    sample.now += 1
    expect(await own()).toEqual(['new'])
  })

  it('are there at once when they are known', async () => {
    await put([['usual', null]])
    await own()
    expect(own()).toEqual(['usual'])
  })

  it('are read once for 30 s, however many ask at the same time', async () => {
    await put([['first', null]])
    await Promise.all([own(), own(), own()])
    await put([['second', null]])
    elapsed += 29_999
    expect(await own()).toEqual(['first'])
    expect(looks).toBe(1)
    elapsed += 1
    expect(await own()).toEqual(['second'])
    expect(looks).toBe(2)
  })

  it('are read again at once when somebody tells that they changed', async () => {
    sample.store.signals.onSecret((secret) => secrets.forget(secret))
    await put([['first', null]])
    await put([['another', null]], 'another')
    expect(await own()).toEqual(['first'])
    expect(await secrets.get(sample.tenantId, 'another')).toEqual(['another'])
    await put([['second', null]])
    expect(await own()).toEqual(['second'])
    await secrets.get(sample.tenantId, 'another')
    expect(looks).toBe(3)
    await sample.store.tenant(sample.tenantId, (rows) => rows.secrets.delete('default'))
    expect(await own()).toEqual([])
  })

  it('that changed during a look are not kept as that look has them', async () => {
    await put([['first', null]])
    const look = own()
    secrets.forget({ tenantId: sample.tenantId, name: 'default' })
    await put([['second', null]])
    expect(await look).toEqual(['first'])
    expect(await own()).toEqual(['second'])
  })

  it('that changed during a look which fails are kept as the next look has them', async () => {
    await put([['first', null]])
    failures.push(new StoreError('unavailable', 'away', 'no'))
    const look = own()
    secrets.forget({ tenantId: sample.tenantId, name: 'default' })
    const next = own()
    await expect(look).rejects.toThrow('away')
    expect(await next).toEqual(['first'])
    expect(await own()).toEqual(['first'])
    expect(looks).toBe(2)
  })

  it('are asked for again by the next run after a failure', async () => {
    await put([['first', null]])
    failures.push(new StoreError('unavailable', 'away', 'no'))
    await expect(own()).rejects.toThrow('away')
    expect(await own()).toEqual(['first'])
    expect(await own()).toEqual(['first'])
    expect(looks).toBe(2)
  })

  it('are read without a lock, for which a rotation would have to wait', async () => {
    await put([['usual', null]])
    const tenant: Store['tenant'] = (tenantId, work) =>
      sample.store.tenant(tenantId, (rows) => {
        const get = () => Promise.reject(new Error('the row was locked'))
        return work({ ...rows, secrets: { ...rows.secrets, get } })
      })
    const reading = new SigningSecrets({ tenant } as Partial<Store> as Store, vault, () => 0)
    expect(await reading.get(sample.tenantId, null)).toEqual(['usual'])
  })

  it('that were sealed for another tenant do not open', async () => {
    await put([['foreign', null]], 'default', sample.tenantId, otherTenant)
    await expect(own()).rejects.toThrow(VaultError)
  })
})
