#!/usr/bin/env -S UV_THREADPOOL_SIZE=16 node --max-semi-space-size=8
import { runKrond } from '../dist/cli/krond-program.js'
import { processHost } from '../dist/cli/process-host.js'

process.exit(await runKrond(process.argv.slice(2), processHost()))
