import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { kronJobCrd } from '../kronjob/crd.js'
import { generatedFiles } from './generated-files.js'
import { operatorRules } from './rbac-rules.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}packages/operator/package.json`, 'utf8'))
const files = generatedFiles(version)

const documentsOf = (path: string) =>
  parseAllDocuments(files.get(path)!).map((document) => document.toJS())

describe('manifests', () => {
  it.each([...files])('%s in the tree is what the code makes', (path, text) => {
    const hint = 'npm run manifests'
    expect(readFileSync(`${root}deploy/${path}`, 'utf8'), hint).toBe(text)
  })

  it('have no file beside them that nobody makes', () => {
    const made = [...files.keys()]
    const kept = globSync(['kubernetes/*', 'helm/*/{crds,files}/*'], { cwd: `${root}deploy` })
    expect(kept.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(made.sort())
  })

  it('hold the definition of KronJob whole, without anchors', () => {
    const text = files.get('kubernetes/crd.yaml')!
    expect(parse(text)).toEqual(JSON.parse(JSON.stringify(kronJobCrd)))
    expect(text).not.toMatch(/[&*]a\d+/)
  })

  it('give the controller rights on leases in its own namespace only', () => {
    const [clusterRole] = documentsOf('kubernetes/operator.yaml').filter(
      ({ kind }) => kind === 'ClusterRole',
    )
    expect(clusterRole.rules).toEqual(operatorRules)
    expect(JSON.stringify(clusterRole)).not.toContain('leases')
  })

  it('give a controller of one namespace no rights elsewhere', () => {
    const kinds = documentsOf('kubernetes/operator-namespaced.yaml').map(({ kind }) => kind)
    expect(kinds).toEqual(['Namespace', 'ServiceAccount', 'Role', 'RoleBinding', 'Deployment'])
  })

  it('never grant a wildcard, secrets or pods', () => {
    for (const [path, text] of files) {
      if (path.includes('crd')) continue
      expect(text).not.toMatch(/['"]\*['"]|secrets|\bpods\b|impersonate|escalate/)
    }
  })

  it.each(['operator', 'operator-namespaced'])('%s runs without any privilege', (name) => {
    const { spec } = documentsOf(`kubernetes/${name}.yaml`).find(
      ({ kind }) => kind === 'Deployment',
    ).spec.template
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 })
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
})
