import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { distributionParameters, distributions } from '@kron/core'
import { afterAll, describe, expect, it } from 'vitest'
import { checkKronJob } from '../src/kronjob/index.js'
import type { DistributionName, DistributionParams } from '../src/kronjob/kron-job.js'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'kind-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the compiler says of a program of somebody who has installed the package, and nothing else. */
function compiled(program: string): string {
  const path = join(folder, 'program.ts')
  writeFileSync(path, program)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    paths: { '@kron/operator': [pathOf('../dist/bundle/types/index.d.ts')] },
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  try {
    execFileSync(pathOf('../../../node_modules/.bin/tsc'), ['-p', config], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return String((error as { stdout: string }).stdout)
  }
}

const documented = (): string => {
  const text = readFileSync(pathOf('../../../docs/operator.md'), 'utf8')
  const [, block] = /```ts runnable\n(import type \{ KronJobManifest[\s\S]*?)```/.exec(text)!
  return block!
}

describe('the types of the kind', () => {
  it('take the manifest of the documentation', () => {
    expect(compiled(documented())).toBe('')
  })

  it.each([
    ['a field that there is not', "schedule: '0 2 * * *'", "shedule: '0 2 * * *'", 'shedule'],
    ['a value that there is not', "concurrency: 'forbid'", "concurrency: 'Forbid'", '"Forbid"'],
    ['another kind', "kind: 'KronJob'", "kind: 'CronJob'", '"CronJob"'],
  ])('refuse %s', (_, right, wrong, said) => {
    expect(compiled(documented().replace(right, wrong))).toContain(said)
  })

  it('know the distributions of the core, and their parameters', () => {
    const names: Record<DistributionName, true> = {
      uniform: true,
      skewEarly: true,
      skewLate: true,
      normal: true,
      exponential: true,
    }
    expect(Object.keys(names)).toEqual(Object.keys(distributions))
    const params: Required<DistributionParams> = {
      shape: 2,
      lambda: 1,
      sigma: '20m',
      mu: 'mid',
      dir: 'late',
      sample: 'exact',
    }
    expect(Object.keys(params)).toEqual(Object.keys(distributionParameters))
  })

  it('describe a manifest in which nothing is wrong', async () => {
    const path = join(folder, 'documented.ts')
    writeFileSync(path, `${documented()}\nexport { backup }\n`)
    const { backup } = (await import(/* @vite-ignore */ path)) as { backup: unknown }
    expect(checkKronJob(backup)).toEqual([])
  })
})
