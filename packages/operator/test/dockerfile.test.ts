import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = readFileSync(`${root}deploy/docker/kron-operator.Dockerfile`, 'utf8')
const ignored = readFileSync(`${root}.dockerignore`, 'utf8').split('\n')

interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The instructions of each stage; comments are gone and continued lines are joined. */
const stages: Instruction[][] = text
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^(\w+)\s+(.*)$/.exec(line.trim())!)
  .reduce<Instruction[][]>((all, [, name, rest]) => {
    if (name === 'FROM') all.push([])
    all.at(-1)!.push({ name: name!, rest: rest! })
    return all
  }, [])

const last = stages.at(-1)!
const valuesOf = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest)

describe('the image of the controller', () => {
  it('is made in two stages, of which the last has no tools of the first', () => {
    expect(stages).toHaveLength(2)
    expect(
      stages
        .flat()
        .filter(({ name }) => name === 'FROM')
        .map(({ rest }) => rest),
    ).toEqual(['node:24-slim AS build', 'node:24-slim'])
    expect(valuesOf('RUN')).toEqual([])
  })

  it('runs as the user that the Deployment names, and not as root', () => {
    expect(valuesOf('USER')).toEqual(['65532:65532'])
    expect(last.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      last.findIndex(({ name }) => name === 'COPY'),
    )
  })

  it('starts kron-operator without a shell, so that signals reach it', () => {
    expect(valuesOf('ENTRYPOINT')).toEqual(['["kron-operator"]'])
    const { bin } = JSON.parse(readFileSync(`${root}packages/operator/package.json`, 'utf8'))
    expect(bin).toHaveProperty('kron-operator')
  })

  it('copies only what exists and what the ignore file lets through', () => {
    const copied = stages[0]!
      .filter(({ name }) => name === 'COPY')
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
    const isLetThrough = (path: string) =>
      ignored.some((line) => line === `!${path}` || line.startsWith(`!${path}/`))
    expect(copied.filter((path) => !isLetThrough(path))).toEqual([])
  })

  it('has every package that the controller depends on', () => {
    const depends = (name: string): string[] => {
      const file = readFileSync(`${root}packages/${name}/package.json`, 'utf8')
      const own = Object.keys(JSON.parse(file).dependencies ?? {})
        .filter((dependency) => dependency.startsWith('@kron/'))
        .map((dependency) => dependency.slice('@kron/'.length))
      return [name, ...own.flatMap(depends)]
    }
    const needed = [...new Set(depends('operator'))].sort()
    const listed = /for name in ([\w ]+);/.exec(text)![1]!.split(' ').sort()
    expect(listed).toEqual(needed)
    for (const name of needed) expect(ignored).toContain(`!packages/${name}`)
  })

  it('takes no secrets, neither as arguments nor as files', () => {
    expect(text).not.toMatch(/\bARG\b|token|password|secret|\.env\b|kubeconfig|id_rsa/i)
    expect(ignored.find((line) => line !== '' && !line.startsWith('#'))).toBe('*')
  })
})
