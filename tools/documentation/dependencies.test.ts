import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readText, repository } from './documentation-host.js'

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
type Manifest = Partial<Record<(typeof kinds)[number], Record<string, string>>>

const manifests = globSync(
  ['package.json', '{packages,tools}/*/package.json', 'bench/package.json'],
  {
    cwd: repository,
  },
)

/** The dependencies that the table has a row for; `@scope/*` stands for all of a scope. */
const justified = [...readText('ARCHITECTURE.md').matchAll(/^\| ([^|]+) \|/gm)].flatMap(
  ([, cell]) => cell!.split(',').map((name) => name.trim().replaceAll('`', '')),
)

const isJustified = (name: string): boolean =>
  justified.some(
    (each) => each === name || (each.endsWith('*') && name.startsWith(each.slice(0, -1))),
  )

it.each(manifests)('ARCHITECTURE.md says what each dependency of %s is for', (path) => {
  const manifest = JSON.parse(readText(path)) as Manifest
  const names = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  const others = names.filter((name) => !name.startsWith('@kron/'))
  expect(others.filter((name) => !isJustified(name))).toEqual([])
})
