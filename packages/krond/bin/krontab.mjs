#!/usr/bin/env node
import { processHost, runKrontab } from '../dist/index.js'

process.exitCode = runKrontab(process.argv.slice(2), processHost())
