import { describe, expect, it } from 'vitest'
import { memoryHost, runOn } from '../../testing/command/memory-host.js'

function stderrOf(...args: string[]): string {
  const host = memoryHost({ now: Date.UTC(2026, 2, 1) })
  expect(runOn(args, host)).toBe(1)
  return host.output.stderr
}

describe('a schedule without quotes', () => {
  it.each([
    ['next', '0', '3', '*', '*', '*'],
    ['explain', '*/5', '8-18', '*', '*', '*'],
    ['add', '0', '3,15', 'a.txt', 'b.txt', 'c.txt', '--name', 'x', '--command', 'y'],
    ['lint', '*/10', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  ])('is reported: %s %s %s ...', (...args) => {
    expect(stderrOf(...args)).toBe(
      'krontab: the schedule must be one argument, in quotes\n' +
        'hint: without quotes the shell replaces the stars with names of files\n' +
        `hint: krontab ${args[0]} "0 3 * * *"\n`,
    )
  })

  it.each([
    ['next', 'backup', 'hourly'],
    ['next', '0 3 * * *', '5'],
    ['lint', 'a.krontab', 'b.krontab'],
    ['remove', '0', '3'],
  ])('is not what %s %s %s is', (...args) => {
    expect(stderrOf(...args)).not.toContain('in quotes')
  })
})
