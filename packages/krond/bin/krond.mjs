#!/usr/bin/env node
import { processHost, runKrond } from '../dist/index.js'

process.exit(await runKrond(process.argv.slice(2), processHost()))
