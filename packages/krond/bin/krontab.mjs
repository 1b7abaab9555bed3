#!/usr/bin/env node
import { processHost } from '../dist/bundle/host.js'
import { runKrontab } from '../dist/bundle/krontab.js'

process.exitCode = runKrontab(process.argv.slice(2), processHost())
