import { describe, expect } from 'vitest'
import { newId, type SigningSecret, type Tenant } from '../../src/domain/index.js'
import { everyPage } from './page-conformance.js'
import type { Check } from './world-conformance.js'

export function sampleSecret({ id }: Tenant, name: string): SigningSecret {
  return {
    id: newId('sec', 5),
    tenantId: id,
    name,
    version: 1,
    createdAt: 5,
    updatedAt: 5,
    values: [{ sealed: 'v1.abc', createdAt: 5, expiresAt: null }],
  }
}

export function describeSecrets(check: Check): void {
  describe('secrets', () => {
    check('are made and replaced by their name', async (world) => {
      const tenant = await world.tenant()
      const made = sampleSecret(tenant, 'main')
      const changed: SigningSecret = {
        ...made,
        version: 2,
        updatedAt: 9,
        values: [
          { sealed: 'v1.def', createdAt: 9, expiresAt: null },
          { sealed: 'v1.abc', createdAt: 5, expiresAt: 100 },
        ],
      }
      await world.as(tenant, async (rows) => {
        expect(await rows.secrets.get('main')).toBeNull()
        await rows.secrets.put(made)
        expect(await rows.secrets.get('main')).toEqual(made)
        await rows.secrets.put(changed)
        expect(await rows.secrets.get('main')).toEqual(changed)
        expect((await rows.secrets.list({ limit: 5, after: null })).items).toEqual([changed])
      })
    })

    check('are read without waiting for a rotation', async (world) => {
      const tenant = await world.tenant()
      const secret = sampleSecret(tenant, 'main')
      await world.as(tenant, (rows) => rows.secrets.put(secret))
      const read = () => world.as(tenant, (rows) => rows.secrets.read('main'))
      expect(await world.during(tenant, (rows) => rows.secrets.get('main'), read)).toEqual(secret)
      await world.as(tenant, (rows) => rows.secrets.delete('main'))
      expect(await read()).toBeNull()
    })

    check('keep a rotation from being undone by one at the same time', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, (rows) => rows.secrets.put(sampleSecret(tenant, 'main')))
      const rotations = Array.from({ length: 10 }, () =>
        world.as(tenant, async (rows) => {
          const found = (await rows.secrets.get('main'))!
          await rows.secrets.put({ ...found, version: found.version + 1 })
        }),
      )
      await Promise.all(rotations)
      const found = await world.as(tenant, (rows) => rows.secrets.read('main'))
      expect(found!.version).toBe(11)
    })

    check(
      'are made by one of those who come at once, and replaced by the others',
      async (world) => {
        const tenant = await world.tenant()
        const versions = await Promise.all(
          Array.from({ length: 8 }, () =>
            world.as(tenant, async (rows) => {
              const version = ((await rows.secrets.get('main'))?.version ?? 0) + 1
              await rows.secrets.put({ ...sampleSecret(tenant, 'main'), version })
              return version
            }),
          ),
        )
        expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      },
    )

    check('are deleted once', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, async (rows) => {
        await rows.secrets.put(sampleSecret(tenant, 'main'))
        expect(await rows.secrets.delete('main')).toBe(true)
        expect(await rows.secrets.get('main')).toBeNull()
        expect(await rows.secrets.delete('main')).toBe(false)
      })
    })

    check('are listed page by page in the order of their names', async (world) => {
      const tenant = await world.tenant()
      const names = ['B', 'a', 'b', 'b2', 'c-d', 'c.d', 'c_d', 'z']
      await world.as(tenant, async (rows) => {
        for (const name of names) await rows.secrets.put(sampleSecret(tenant, name))
        const listed = await everyPage(3, rows.secrets.list)
        expect(listed.map(({ name }) => name)).toEqual([...names].sort())
      })
    })
  })
}
