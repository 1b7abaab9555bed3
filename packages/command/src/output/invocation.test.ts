import { describe, expect, it } from 'vitest'
import { memoryOutput } from '../../testing/index.js'
import { Invocation } from './invocation.js'

function invocation(options: object = {}) {
  const { output, ...streams } = memoryOutput()
  const clock = { now: () => new Date(0) }
  const host = { clock, env: {}, cwd: '/home/ada', writeFile: () => undefined, ...streams }
  return { output, it: new Invocation(host, { format: 'text', color: true, ...options }, 'tool') }
}

describe('what a command prints', () => {
  it('has details without those that are null, and cleans what comes from elsewhere', () => {
    const { it, output } = invocation()
    it.printDetails([
      ['name', 'a\u001b[31mb'],
      ['nothing', null],
      ['longer', ['good', 'fine\n']],
    ])
    expect(output.stdout).toBe('name    a\ufffd[31mb\nlonger  fine\n')
  })

  it('has notes and complaints on stderr, and with --quiet complaints alone', () => {
    for (const [quiet, notes] of [
      [false, 'tool: by the way\nhint: look\n'],
      [true, ''],
    ] as const) {
      const { it, output } = invocation({ quiet })
      it.note('by the way', ['hint: look'])
      it.complain('something is wrong')
      expect(output).toMatchObject({ stdout: '', stderr: `${notes}tool: something is wrong\n` })
    }
  })

  it('shows paths from the current folder', () => {
    const { it } = invocation()
    expect(it.shown('/home/ada/jobs/a')).toBe('jobs/a')
    expect(it.shown('/etc/krond.d')).toBe('/etc/krond.d')
    expect(it.absolute('jobs')).toBe('/home/ada/jobs')
  })
})
