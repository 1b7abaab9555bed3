import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { startProgram } from '../src/kronctl/testing/start-kronctl.js'

it('kron-operator manifests prints all of the kind into a pipe, more than fits at once', async () => {
  const file = new URL('../../../deploy/kubernetes/crd.yaml', import.meta.url)
  const printed = await startProgram('kron-operator', ['manifests', 'crd'], { folder: tmpdir() })
  expect(printed).toEqual({ status: 0, stdout: readFileSync(file, 'utf8'), stderr: '' })
})
