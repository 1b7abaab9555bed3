#!/usr/bin/env node
import { createRequire } from 'node:module'
import { needNode } from '../dist/bundle/need-node.js'

needNode('krond', createRequire(import.meta.url)('../package.json').engines)

// Before anything is read: threads wait for the disk, and four would have many jobs wait as well.
process.env.UV_THREADPOOL_SIZE ??= '16'

const { endProcess, processHost, runKrond } = await import('../dist/bundle/krond.js')

await endProcess(await runKrond(process.argv.slice(2), processHost()))
