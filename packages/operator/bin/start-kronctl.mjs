import { createRequire } from 'node:module'
import { needNode } from '../dist/bundle/need-node.js'

/** Runs kronctl by the name that it was called by. */
export async function startKronctl(name) {
  needNode('kronctl', createRequire(import.meta.url)('../package.json').engines)
  const { processHost, runKronctl } = await import('../dist/bundle/kronctl.js')
  process.exitCode = await runKronctl(process.argv.slice(2), processHost(), name)
}
