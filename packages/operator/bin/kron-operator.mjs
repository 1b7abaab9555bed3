#!/usr/bin/env node
import { createRequire } from 'node:module'
import { needNode } from '../dist/bundle/need-node.js'

needNode('kron-operator', createRequire(import.meta.url)('../package.json').engines)

const { endProcess, processHost, runKronOperator } = await import('../dist/bundle/kron-operator.js')

await endProcess(await runKronOperator(process.argv.slice(2), processHost()))
