#!/usr/bin/env node
import { startKronctl } from './start-kronctl.mjs'

await startKronctl('kronctl')
