#!/usr/bin/env node
import { createRequire } from 'node:module'
import { needNode } from '../dist/bundle/need-node.js'

needNode('kron', createRequire(import.meta.url)('../package.json').engines)

const { processHost, runKron } = await import('../dist/bundle/kron.js')

process.exitCode = await runKron(process.argv.slice(2), processHost())
