import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { leaseName } from '../src/manifests/index.js'
import { operatorProgram } from '../src/start/operator-program.js'
import { startDefaults } from '../src/start/start-settings.js'

/** Neither host nor machine is asked for anything before a command runs. */
const program = operatorProgram({} as never)
const known = program.commands
  .find((command) => command.name() === 'start')!
  .options.map(({ long }) => long)

const textOf = (path: string) =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')

describe('the command line in what is deployed', () => {
  it.each([
    'kubernetes/operator.yaml',
    'kubernetes/operator-namespaced.yaml',
    'helm/kron-operator/templates/_helpers.tpl',
  ])('has only options that kron-operator knows: %s', (path) => {
    const used = [...textOf(path).matchAll(/^\s*- (--[\w-]+)/gm)].map(([, option]) => option!)
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((option) => !known.includes(option))).toEqual([])
  })

  it('has rights on the lease that is used where nothing is said', () => {
    expect(leaseName).toBe(startDefaults.leaseName)
    expect(textOf('helm/kron-operator/templates/_helpers.tpl')).toContain(
      `ne $lease "${leaseName}"`,
    )
  })

  it('leaves empty in the chart what has the default that its README tells', () => {
    const readme = textOf('helm/kron-operator/README.md')
    expect(readme).toContain(`\`resync\` | ${startDefaults.resync} |`)
    expect(readme).toContain(`leaseDuration\` | ${startDefaults.leaseDuration} |`)
    expect(readme).toContain(`\`log.level\` | ${startDefaults.logLevel} |`)
  })
})
