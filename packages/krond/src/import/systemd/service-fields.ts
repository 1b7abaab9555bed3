import { formatDuration } from '@kron/core'
import { krontabLimits, type LineField } from '../../krontab/index.js'
import { shellWord } from '../imported-file.js'
import { type ExecCommand, execCommands, unitWords } from './exec-line.js'
import { timeSpan } from './timer-schedule.js'
import type { UnitEntry, UnitFile, UnitNotes } from './unit-file.js'

const section = 'Service'
/** Keys that say nothing about how a job of krond runs. */
const harmless = new Set(['Type', 'RemainAfterExit', 'SyslogIdentifier', 'Restart', 'GuessMainPID'])
const converted = new Set(
  'ExecStartPre ExecStart ExecStartPost User Group WorkingDirectory Environment UMask'
    .concat(' TimeoutStartSec TimeoutSec RuntimeMaxSec StandardOutput StandardError')
    .split(' '),
)

/** The fields of a krontab line that run what a service runs; a text says why that can't be. */
export function serviceFields(unit: UnitFile, notes: UnitNotes): LineField[] | string {
  const env = environmentOf(unit, notes)
  const command = commandFields(unit, env)
  if (typeof command === 'string') return command
  for (const entry of unit.entries(section)) {
    if (converted.has(entry.key) || harmless.has(entry.key)) continue
    notes.note(unit, entry, `${entry.key} is not converted`)
  }
  const description = unit.last('Unit', 'Description')?.value
  return [
    ...command,
    ...plainField(unit, 'User', 'user'),
    ...plainField(unit, 'Group', 'group'),
    ...folderField(unit, notes),
    ...plainField(unit, 'UMask', 'umask'),
    ...timeoutField(unit, notes),
    ...outputField(unit, 'StandardOutput', 'stdout', notes),
    ...outputField(unit, 'StandardError', 'stderr', notes),
    ...Object.entries(env).map(([name, value]): LineField => ['env', `${name}=${value}`]),
    ...(description === undefined ? [] : [['description', description] as const]),
  ]
}

/** `Environment="A=b c" D=e`, all lines of it. */
function environmentOf(unit: UnitFile, notes: UnitNotes): Record<string, string> {
  const env: Record<string, string> = {}
  for (const entry of unit.all(section, 'Environment')) {
    const found = unitWords(entry.value)
    if (typeof found === 'string') {
      notes.note(unit, entry, `not converted: ${found}`)
      continue
    }
    for (const word of found.words) {
      const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(word)
      if (match === null) notes.note(unit, entry, `no variable: ${word}`)
      else env[match[1]!] = match[2]!
    }
  }
  return env
}

function commandFields(
  unit: UnitFile,
  env: Readonly<Record<string, string>>,
): LineField[] | string {
  const commands: ExecCommand[] = []
  if (unit.all(section, 'ExecStart').length === 0) return 'the service has no ExecStart'
  for (const key of ['ExecStartPre', 'ExecStart', 'ExecStartPost']) {
    for (const { value } of unit.all(section, key)) {
      const found = execCommands(value, env)
      if (typeof found === 'string') return `${key}: ${found}`
      commands.push(...found)
    }
  }
  const [only, ...others] = commands
  if (only === undefined) return 'the service has no ExecStart'
  if (others.length === 0) return [['command', commandLine(only.words)]]
  return [
    ['command', commands.map(inShell).join(' && ')],
    ['shell', 'true'],
  ]
}

/** Words as the command line of a krontab, which expands nothing. */
export function commandLine(words: readonly string[]): string {
  return words.map(lineWord).join(' ')
}

function lineWord(word: string): string {
  if (/^[^\s"'\\]+$/.test(word)) return word
  if (!word.includes("'")) return `'${word}'`
  return `"${word.replace(/["\\]/g, '\\$&')}"`
}

function inShell({ words, mayFail }: ExecCommand): string {
  const line = words.map(shellWord).join(' ')
  return mayFail ? `{ ${line} || :; }` : line
}

function plainField(unit: UnitFile, key: string, field: string): LineField[] {
  const value = unit.last(section, key)?.value
  return value === undefined ? [] : [[field, value]]
}

function folderField(unit: UnitFile, notes: UnitNotes): LineField[] {
  const entry = unit.last(section, 'WorkingDirectory')
  const path = entry?.value.replace(/^-/, '')
  // Jobs run in the home of their user unless told otherwise.
  if (entry === undefined || path === undefined || path === '~') return []
  if (path.startsWith('/') && !path.includes('%')) return [['cwd', path]]
  notes.note(unit, entry, 'WorkingDirectory is not converted: no absolute path')
  return []
}

function timeoutField(unit: UnitFile, notes: UnitNotes): LineField[] {
  const isOneshot = unit.last(section, 'Type')?.value === 'oneshot'
  const keys = isOneshot ? ['TimeoutStartSec', 'TimeoutSec'] : ['RuntimeMaxSec']
  const entry = keys.map((key) => unit.last(section, key)).find((found) => found !== undefined)
  if (entry === undefined) return []
  const span = timeSpan(entry.value)
  if (span === null) notes.note(unit, entry, `${entry.key} is not understood`)
  if (span === null || span === 0 || span > krontabLimits.timeoutMs) return []
  return [['timeout', formatDuration(Math.max(1000, Math.ceil(span / 1000) * 1000))]]
}

function outputField(unit: UnitFile, key: string, field: string, notes: UnitNotes): LineField[] {
  const entry: UnitEntry | undefined = unit.last(section, key)
  const value = entry?.value
  if (entry === undefined || value === undefined || /^(?:journal|inherit|syslog)$/.test(value)) {
    return []
  }
  if (value === 'null') return [[field, 'discard']]
  if (/^append:\/[^%]*$/.test(value)) return [[field, `file:${value.slice('append:'.length)}`]]
  notes.note(unit, entry, `${key} is not converted`)
  return []
}
