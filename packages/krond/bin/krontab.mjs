#!/usr/bin/env node
import { createRequire } from 'node:module'
import { needNode } from '../dist/bundle/need-node.js'

needNode('krontab', createRequire(import.meta.url)('../package.json').engines)

const { processHost, runKrontab } = await import('../dist/bundle/krontab.js')

process.exitCode = await runKrontab(process.argv.slice(2), processHost())
