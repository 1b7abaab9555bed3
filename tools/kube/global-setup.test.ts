import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import setup from './global-setup.ts'

const provided: [name: string, value: unknown][] = []
const project = { provide: (name: string, value: unknown) => void provided.push([name, value]) }

const environment = (variables: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

describe('a run without a control plane', () => {
  let said: string

  beforeEach(() => {
    said = ''
    provided.length = 0
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += text
      return true
    })
    environment({
      KUBEBUILDER_ASSETS: undefined,
      CI: undefined,
      KRON_WITHOUT_KUBERNETES: undefined,
    })
  })

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  it.each([
    ['where nobody asks for all tests', {}],
    ['where CI is empty', { CI: '' }],
    ['in CI that is meant to go without', { CI: 'true', KRON_WITHOUT_KUBERNETES: '1' }],
  ])('says so in a line and skips its tests %s', async (_, variables) => {
    environment(variables)
    const end = await setup(project)
    expect(provided).toEqual([['controlPlaneOffer', null]])
    expect(said).toBe('Not tested on Kubernetes: KUBEBUILDER_ASSETS is not set\n')
    await end()
  })

  it.each([
    ['KRON_WITHOUT_KUBERNETES is not set', undefined],
    ['KRON_WITHOUT_KUBERNETES is empty', ''],
  ])('fails in CI where %s', async (_, without) => {
    environment({ CI: 'true', KRON_WITHOUT_KUBERNETES: without })
    await expect(setup(project)).rejects.toThrow(
      'KUBEBUILDER_ASSETS is not set; KRON_WITHOUT_KUBERNETES=1 lets CI pass without Kubernetes',
    )
    expect(provided).toEqual([])
  })

  it('is none in CI where the folder has the programs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kron-kube-assets-'))
    try {
      for (const name of ['etcd', 'kube-apiserver', 'kubectl'])
        writeFileSync(join(folder, name), '')
      environment({ CI: 'true', KUBEBUILDER_ASSETS: folder })
      const end = await setup(project)
      expect(provided).toEqual([['controlPlaneOffer', expect.stringMatching(/^http:\/\/127/)]])
      expect(said).toBe('')
      await end()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
