import { spawnSync } from 'node:child_process'
import { installedEngine } from '../engines/installed-engine.ts'
import { NotSeenHere } from './not-seen-here.ts'

/** A Node that none of our programs run on: that of the machine, or one from the registry. */
export function oldNode(): string {
  const { stdout = '' } = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' })
  if (/^v(?:18|20)\./.test(stdout)) return '/usr/bin/node'
  const engine = installedEngine('20.20.2')
  if ('missing' in engine) throw new NotSeenHere(`there is no Node 20 here: ${engine.missing}`)
  return engine.node
}
