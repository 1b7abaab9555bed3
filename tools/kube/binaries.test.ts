import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { controlPlaneUnavailable, findBinaries, findHelm } from './binaries.ts'

describe('the programs of a control plane', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kron-kube-assets-'))
    vi.stubEnv('KUBEBUILDER_ASSETS', folder)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  const provide = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(join(folder, name), '')
  }

  it.each([undefined, ''])('are looked for nowhere when KUBEBUILDER_ASSETS is %j', (value) => {
    vi.stubEnv('KUBEBUILDER_ASSETS', value)
    expect(controlPlaneUnavailable()).toBe('KUBEBUILDER_ASSETS is not set')
    expect(findHelm()).toBeNull()
    expect(() => findBinaries()).toThrow('no control plane can be started: KUBEBUILDER_ASSETS is')
  })

  it('are named in one line when some are not there', () => {
    provide('etcd', 'helm')
    const line = `KUBEBUILDER_ASSETS names ${folder}, which has no kube-apiserver, no kubectl`
    expect(controlPlaneUnavailable()).toBe(line)
  })

  it('are those of the folder, with what setup-envtest does not bring where it is there', () => {
    provide('etcd', 'kube-apiserver', 'kubectl')
    expect(controlPlaneUnavailable()).toBeNull()
    expect(findBinaries()).toEqual({
      etcd: join(folder, 'etcd'),
      apiServer: join(folder, 'kube-apiserver'),
      kubectl: join(folder, 'kubectl'),
      controllerManager: null,
    })
    expect(findHelm()).toBeNull()
    provide('kube-controller-manager', 'helm')
    expect(findBinaries().controllerManager).toBe(join(folder, 'kube-controller-manager'))
    expect(findHelm()).toBe(join(folder, 'helm'))
  })
})
