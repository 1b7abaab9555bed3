import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { publishedPackages, readManifest, root } from './published.ts'

const packages = publishedPackages()
const repository = readManifest('package.json') as unknown as { repository: { url: string } }

describe.each(packages)('$manifest.name', ({ folder, manifest }) => {
  it('comes from this repository, and says where in it', () => {
    expect(manifest).toMatchObject({
      repository: { ...repository.repository, directory: `packages/${folder}` },
      publishConfig: { access: 'public' },
      scripts: { prepack: 'node ../../tools/package/prepack.mjs' },
    })
    expect(existsSync(`${root}/packages/${folder}/README.md`)).toBe(true)
  })

  it('needs nothing of ours that is not published', () => {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    const names = packages.map((each) => each.manifest.name)
    expect(needed.filter((name) => name.startsWith('@kron/') && !names.includes(name))).toEqual([])
  })

  it('has programs that check their Node before anything else', () => {
    for (const [name, path] of Object.entries(manifest.bin ?? {})) {
      const text = readFileSync(`${root}/packages/${folder}/${path}`, 'utf8')
      expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
      // Two names of one program start by one file.
      const started = /from '(\.\/start-\w+\.mjs)'/.exec(text)?.[1]
      const start =
        started === undefined
          ? text
          : readFileSync(`${root}/packages/${folder}/bin/${started}`, 'utf8')
      expect(start.indexOf('needNode('), `${name} checks`).toBeGreaterThan(0)
      expect(start.indexOf('needNode(')).toBeLessThan(start.indexOf('await import('))
      const imported = [...start.matchAll(/^import .* from '(.*)'$/gm)].map(([, from]) => from)
      expect(imported).toEqual(['node:module', '../dist/bundle/need-node.js'])
    }
    if (manifest.bin !== undefined) expect(manifest.engines?.node).toBe('>=22.19')
  })
})

it('packages come after what they need', () => {
  const names = packages.map(({ manifest }) => manifest.name)
  expect(names.indexOf('@kron/core')).toBeLessThan(names.indexOf('@kron/runtime'))
  expect(names.indexOf('@kron/sqlite')).toBeLessThan(names.indexOf('@kron/scheduler'))
})
