import { describe, expect, it } from 'vitest'
import { billOfMaterials } from './bill-of-materials.ts'
import type { Tarball } from './tarball.ts'

const tarball = (contents: string): Tarball => ({
  file: 'a.tgz',
  manifest: { name: '@kron/a', version: '1.0.0', license: 'Apache-2.0', bin: { a: 'a.js' } },
  files: new Map([['a.js', Buffer.from(contents)]]),
})
const zod = { name: 'zod', version: '4.0.0', license: 'MIT' }
const sqlite = { name: '@kron/sqlite', version: '1.0.0', license: 'Apache-2.0 AND MIT' }

describe('the bill of materials', () => {
  it('names what is bundled and what is installed beside it', () => {
    expect(billOfMaterials(tarball('x'), [zod], [sqlite])).toMatchObject({
      metadata: { component: { type: 'application', purl: 'pkg:npm/%40kron/a@1.0.0' } },
      components: [
        { name: 'zod', licenses: [{ license: { id: 'MIT' } }] },
        { group: '@kron', name: 'sqlite', licenses: [{ expression: 'Apache-2.0 AND MIT' }] },
      ],
      dependencies: [
        {
          ref: 'pkg:npm/%40kron/a@1.0.0',
          dependsOn: ['pkg:npm/zod@4.0.0', 'pkg:npm/%40kron/sqlite@1.0.0'],
        },
        { ref: 'pkg:npm/zod@4.0.0' },
        { ref: 'pkg:npm/%40kron/sqlite@1.0.0' },
      ],
    })
  })

  it('is the same for the same files, and another one for others', () => {
    const one = billOfMaterials(tarball('x'), [zod], [])
    expect(billOfMaterials(tarball('x'), [zod], [])).toEqual(one)
    expect(billOfMaterials(tarball('y'), [zod], [])).not.toEqual(one)
    expect(one).toMatchObject({
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    })
  })
})
