import { describe, expect, it } from 'vitest'
import { parseKrontab } from './parse-krontab.js'

describe('a line of a krontab', () => {
  it.each([
    ['a NUL', '\0'],
    ['a vertical tab', '\v'],
    ['a form feed', '\f'],
    ['a carriage return that ends no line', '\r'],
    ['an escape', '\u001b'],
    ['a DEL', '\u007f'],
  ])('must not have %s in it', (_, character) => {
    const text = `0 3 * * * name=a command="/x${character}y"\n0 4 * * * name=b command=/y\n`
    const { jobs, problems } = parseKrontab(text, '/x.krontab')
    expect(jobs.map(({ name }) => name)).toEqual(['b'])
    expect(problems).toMatchObject([{ code: 'KRON_KRONTAB_SYNTAX', line: 1, column: 29 }])
  })

  it('must not set a variable, and one problem says so', () => {
    const text = '  MAILTO = ada\n0 4 * * * name=b command=/y\n'
    const { jobs, problems } = parseKrontab(text, '/x.krontab')
    expect(jobs.map(({ name }) => name)).toEqual(['b'])
    const message = 'a krontab has no variables of its own; give a job env=MAILTO=...'
    expect(problems).toMatchObject([{ line: 1, column: 3, length: 6, message }])
  })
})
