import { describe, expect, it } from 'vitest'
import { kronMistakes } from './kron.ts'
import { NotSeenHere } from './not-seen-here.ts'

/** What somebody must read, and what a script is told. */
const expected: Readonly<Record<string, readonly [exitCode: number, ...words: string[]]>> = {
  'No server yet, and no key': [1, 'no API key in /home/ada/.config/kron/key', 'kron serve'],
  'The server does not run': [3, 'no answer from http://127.0.0.1:7077', 'kron serve'],
  'A key that the server does not know': [1, 'not one of this server', 'KRON_KEY'],
  'The server was started in another folder': [0, '/home/ada/.config/kron/key was there already'],
  'Others may read the key': [1, 'chmod 600 /home/ada/.config/kron/key'],
  'A key file that you may not read': [1, 'permission denied', 'KRON_KEY_FILE'],
  'An hour that no clock has': [2, 'value 25, outside of 0-23', '    0 25 * * *\n      ^\n'],
  'A time zone with a typo': [2, 'did you mean Europe/Paris?'],
  'A typo in a modifier': [2, 'unknown modifier @wni', 'did you mean @win?'],
  'A body that is not JSON': [1, '--json must be JSON', 'double quotes'],
  'A duration without a unit': [1, '--every', 'a unit is missing'],
  'A target on this machine': [2, '--allow-local or --allow 127.0.0.1:8080'],
  'A name with a typo': [1, 'did you mean sync?'],
  'An unknown command': [1, 'did you mean kron serve?'],
  'An address without http': [1, 'did you mean http://localhost:7077?'],
  'The port is taken': [4, 'port 7077', 'choose another port with --port'],
  'No permission for the data folder': [4, '/usr/kron', '--data'],
  'The disk is full': [4, 'disk I/O error', 'whether the disk has space left'],
  'PostgreSQL is away': [4, 'ECONNREFUSED', 'check that PostgreSQL runs'],
  'A database that Kron does not know': [1, 'postgres://', 'mysql:'],
  'Data of a later version': [4, 'schema 99', 'a later version of Kron'],
  'Ctrl-C, and the server does not end': [130, 'event=stopping', 'a second signal ends it at once'],
  'Node is too old': [4, 'kron needs Node 22.19 or later, and this is Node 20'],
}

describe('a mistake with kron', () => {
  it('is listed once', () => {
    const titles = kronMistakes.map(({ title }) => title)
    expect(titles).toEqual(Object.keys(expected))
  })

  it.each(kronMistakes)('is explained: $title', async ({ title, see }) => {
    const [code, ...words] = expected[title]!
    const seen = await see().catch((error) => {
      if (error instanceof NotSeenHere) return null
      throw error
    })
    if (seen === null) return
    for (const each of words) expect(seen.text).toContain(each)
    expect(seen.exitCode).toBe(code)
    // Nothing of this machine, and no trace of the program's own code.
    expect(seen.text).not.toMatch(/\/tmp\/|kron-newcomer|\n {4}at |this is a bug/)
    expect(seen.text).not.toMatch(/127\.0\.0\.1:(?!7077|8080|1\b)\d/)
  })
})
