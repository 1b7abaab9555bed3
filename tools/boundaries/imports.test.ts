import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Which package may import which; dependencies point inward, and hosts do not know each other. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  runtime: ['core'],
  scheduler: ['core', 'runtime'],
  command: ['core', 'runtime'],
  preview: ['core', 'runtime', 'command'],
  krond: ['core', 'runtime', 'command', 'preview'],
  server: ['core', 'runtime', 'command', 'preview'],
  dashboard: ['core'],
  operator: ['core', 'runtime', 'command', 'preview'],
}

/** Packages that run in a browser: nothing of Node, nothing from elsewhere. */
const selfContained = ['core']

const root = fileURLToPath(new URL('../..', import.meta.url))
const importPattern = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g

interface Import {
  readonly file: string
  readonly from: string
  readonly specifier: string
}

function importsOf(file: string): Import[] {
  const text = readFileSync(resolve(root, file), 'utf8').replaceAll(/^\s*(\/\/|\*).*$/gm, '')
  const from = file.split(sep)[1]!
  return [...text.matchAll(importPattern)].map(([, specifier]) => ({
    file,
    from,
    specifier: specifier!,
  }))
}

/** The package of ours that an import reaches, or null for anything else. */
function reached({ file, specifier }: Import): string | null {
  const named = /^@kron\/([\w-]+)/.exec(specifier)
  if (named) return named[1]!
  if (!specifier.startsWith('.')) return null
  const target = relative(root, resolve(root, dirname(file), specifier))
  return target.split(sep)[0] === 'packages' ? target.split(sep)[1]! : 'outside'
}

function isForbidden(entry: Import): boolean {
  const target = reached(entry)
  if (target !== null) return target !== entry.from && !mayImport[entry.from]?.includes(target)
  return selfContained.includes(entry.from)
}

const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
)

describe('packages', () => {
  it('import only what the architecture allows', () => {
    const imports = sources.flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.filter(isForbidden)).toEqual([])
  })

  it('are all in the table', () => {
    const packages = new Set(sources.map((file) => file.split(sep)[1]!))
    expect([...packages].filter((name) => !(name in mayImport))).toEqual([])
  })

  it.each([
    ['packages/core/src/a.ts', 'node:fs', true],
    ['packages/core/src/a.ts', 'lodash', true],
    ['packages/core/src/a.ts', './b.js', false],
    ['packages/core/src/cron/a.ts', '../../../runtime/src/index.js', true],
    ['packages/core/src/a.ts', '@kron/runtime', true],
    ['packages/runtime/src/a.ts', '@kron/core', false],
    ['packages/runtime/src/a.ts', '@kron/krond', true],
    ['packages/krond/src/a.ts', '@kron/scheduler', true],
    ['packages/krond/src/a.ts', '../../../tools/x.js', true],
    ['packages/krond/src/a.ts', 'commander', false],
  ])('%s importing %s is forbidden: %s', (file, specifier, forbidden) => {
    const from = file.split('/')[1]!
    expect(isForbidden({ file, from, specifier })).toBe(forbidden)
  })
})
