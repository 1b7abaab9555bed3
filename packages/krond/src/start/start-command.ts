import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ExitCode } from '@kron/command'
import { descriptorOutlet, hostLog, keepMemorySmall, systemClock } from '@kron/runtime'
import type { Host } from '../command/invocation.js'
import { configurationPorts, readConfiguration } from '../configuration/read-configuration.js'
import { processSignals } from '../control/signal-source.js'
import { systemDisk } from '../disk/system-disk.js'
import { processIdentity, selfOf, systemProcesses } from '../process/index.js'
import { serviceManager } from '../service-manager/service-manager.js'
import { runDaemon, type StartPorts } from './daemon-process.js'
import { greeting } from './greeting.js'
import { readableLines } from './readable-lines.js'
import type { StartSettings } from './start-settings.js'

/** `krond start`: in the foreground, on this machine, until it is asked to stop. */
export function startCommand(settings: StartSettings, host: Host): Promise<ExitCode> {
  return runDaemon(settings, systemPorts(settings, host))
}

/** The real parts of this machine. */
export function systemPorts(settings: StartSettings, host: Host): StartPorts {
  const clock = systemClock()
  const outlet = descriptorOutlet(1, 'krond')
  const log = hostLog({
    format: settings.logFormat === 'readable' ? readableLines(host, settings) : settings.logFormat,
    level: settings.logLevel,
    component: 'krond',
    clock,
    outlet,
    foreignEvents: ['output'],
  })
  const outputFolder = join(settings.state, 'output')
  const processes = systemProcesses({ clock, outputFolder, flow: outlet })
  const self = selfOf()
  return {
    clock,
    disk: systemDisk(),
    processes,
    output: processes.output!,
    keepSmall: (isQuietFor, signal) => keepMemorySmall(clock, isQuietFor, signal),
    checkGate: () => processes.checkGate(),
    service: serviceManager({ env: host.env, pid: process.pid, clock, log }),
    signals: processSignals,
    log,
    logTrouble: () => outlet.trouble,
    greet: greeting(settings, host, log, () => openFileName(1)),
    uid: self.uid,
    pid: process.pid,
    bootId: processIdentity(process.pid)?.bootId ?? null,
    configure() {
      return readConfiguration(settings, configurationPorts(host.timezone()))
    },
  }
}

/** What a descriptor writes to: the path of a file; null if it is something else. */
function openFileName(descriptor: number): string | null {
  try {
    const name = readlinkSync(`/proc/self/fd/${descriptor}`)
    return name.startsWith('/') ? name : null
  } catch {
    return null
  }
}
