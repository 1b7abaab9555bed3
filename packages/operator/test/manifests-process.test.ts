import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

it('kron-operator manifests prints all of the kind into a pipe, more than fits at once', () => {
  // By a shell, as people do: what Node itself opens for a child holds more than a pipe.
  const line = `"${process.execPath}" "${pathOf('../bin/kron-operator.mjs')}" manifests crd | cat`
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toBe(readFileSync(pathOf('../../../deploy/kubernetes/crd.yaml'), 'utf8'))
})
