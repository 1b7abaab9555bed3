import { readFileSync } from 'node:fs'
import { memoryOutput } from '@kron/command/testing'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { manifestNames } from './manifest-names.js'
import { runKronOperator } from './operator-program.js'

async function manifests(...names: string[]) {
  const { output, ...streams } = memoryOutput()
  const host = { ...streams } as unknown as Parameters<typeof runKronOperator>[1]
  const exitCode = await runKronOperator(['manifests', ...names], host)
  return { exitCode, ...output }
}

const kindsIn = (yaml: string): unknown[] =>
  parseAllDocuments(yaml).map((document) => {
    expect(document.errors).toEqual([])
    return document.get('kind')
  })

describe('kron-operator manifests', () => {
  it.each(manifestNames)('prints the file %s.yaml of deploy/kubernetes', async (name) => {
    const file = new URL(`../../../../deploy/kubernetes/${name}.yaml`, import.meta.url)
    expect(await manifests(name)).toEqual({
      exitCode: 0,
      stdout: readFileSync(file, 'utf8'),
      both: readFileSync(file, 'utf8'),
      stderr: '',
    })
  })

  it('prints several as one text, each once', async () => {
    const { stdout } = await manifests('crd', 'user-roles', 'crd')
    expect(kindsIn(stdout)).toEqual(['CustomResourceDefinition', 'ClusterRole', 'ClusterRole'])
  })

  it('prints without a name what a cluster needs, the kind first', async () => {
    const kinds = kindsIn((await manifests()).stdout)
    expect(kinds[0]).toBe('CustomResourceDefinition')
    expect(kinds).toContain('Deployment')
  })

  it('proposes the nearest name', async () => {
    expect(await manifests('crds')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('no manifest "crds"; did you mean crd?'),
    })
  })
})
