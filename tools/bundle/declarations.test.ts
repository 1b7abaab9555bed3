import { describe, expect, it } from 'vitest'
import { declarationsOf } from './declarations.ts'

const reading = (files: Readonly<Record<string, string>>) => (file: string) => files[file]!

describe('declarations that are shipped', () => {
  it('are those of the entry and of all that it imports, once each', () => {
    const files = {
      'index.d.ts': "export * from './a/one.js'\nexport type { B } from './b.js'",
      'a/one.d.ts': "import type { B } from '../b.js'\nexport declare const one: B",
      'b.d.ts': "/** import { x } from 'y' */\nexport type B = import('./a/one.js').One",
    }
    expect(declarationsOf(['index.js'], reading(files))).toEqual([
      'index.d.ts',
      'a/one.d.ts',
      'b.d.ts',
    ])
  })

  it('import nothing that is not shipped', () => {
    const files = { 'index.d.ts': "import type { Clock } from '@kron/runtime'" }
    expect(() => declarationsOf(['index.js'], reading(files))).toThrow(
      'index.d.ts is shipped and imports @kron/runtime, which is not',
    )
  })
})
