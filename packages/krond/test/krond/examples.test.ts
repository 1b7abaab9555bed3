import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'
import { isRoot } from './root.js'

const folder = fileURLToPath(new URL('../../../../examples', import.meta.url))
const examples = readdirSync(folder).filter((name) => name.endsWith('.krontab'))

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

const exists = (user: string): boolean => spawnSync('getent', ['passwd', user]).status === 0

/** Users that this machine does not have, or that only root can be, are left out of the text. */
function withoutUsers(text: string): string {
  return text.replaceAll(/ user=(\S+)/g, (field, user: string) =>
    isRoot && exists(user) ? field : '',
  )
}

it.each(examples)('the example %s is accepted as a whole', async (name) => {
  const text = withoutUsers(readFileSync(join(folder, name), 'utf8'))
  // Suspended, so that nothing of it runs here.
  const asleep = text.replaceAll(/^[^#\n].*$/gm, suspended)
  home.file('jobs.krontab', asleep)
  const jobs = asleep.split('\n').filter((line) => /^[^#]/.test(line)).length
  expect(jobs).toBeGreaterThan(3)
  const daemon = home.start('--strict')
  expect(await daemon.event('start')).toMatchObject({ jobs })
  daemon.kill('SIGTERM')
  expect(await daemon.ended).toBe(0)
  expect(daemon.events('trigger')).toEqual([])
  expect(daemon.events('error')).toEqual([])
})

function suspended(line: string): string {
  return line.includes('@policy(')
    ? line.replace('@policy(', '@policy(suspend=true,')
    : line.replace(' name=', ' @policy(suspend=true) name=')
}
