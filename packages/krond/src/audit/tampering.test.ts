import { describe, expect, it } from 'vitest'
import { equalTamperings } from '../../testing/audit/equal-tamperings.js'
import { eventTamperings } from '../../testing/audit/event-tamperings.js'
import { honestLog } from '../../testing/audit/honest-log.js'
import { logTamperings } from '../../testing/audit/log-tamperings.js'
import type { Event, Log, Tampering } from '../../testing/audit/tampering.js'
import { auditLog } from './log-audit.js'

const from = Date.UTC(2026, 2, 27)
const seeds = process.env['KRON_LONG'] === '1' ? 24 : 3

const textOf = (log: Log): string[] =>
  log.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))

async function worldOf(seed: number): Promise<Log> {
  const maxRunning = seed % 2 === 0 ? 2 : 256
  const world = { seed, from, hours: 40, crashChance: 0.08, disturbed: true, maxRunning }
  const lines = await honestLog(world)
  return lines.map((line) => (line.endsWith('}') ? (JSON.parse(line) as Event) : line))
}

const logs = await Promise.all(Array.from({ length: seeds }, (_, n) => worldOf(n + 1)))

/** Draws by the seed, so that a failure comes again. */
function drawing(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}

/** The worlds in which somebody did this, and nobody noticed; null where it can't be done. */
function unnoticed({ tamper }: Tampering, seed: number): string | null {
  const tampered = tamper(logs[seed]!, drawing(seed + 99))
  if (tampered === null) return null
  const { violation_count, unproved } = auditLog(textOf(tampered))
  return violation_count > 0 || unproved.length > 0 ? '' : `world ${seed + 1}`
}

describe('a log of a real daemon', () => {
  it.each(logs.map((log, index) => [index + 1, log] as const))(
    'has no violation in world %d',
    (_, log) => {
      expect(auditLog(textOf(log)).violations).toEqual([])
    },
  )

  it('is tampered with in more than a hundred ways', () => {
    const all = [...eventTamperings, ...logTamperings]
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(100)
  })

  it.each(
    [...eventTamperings, ...logTamperings].map((tampering) => [tampering.name, tampering] as const),
  )('does not let anybody %s', (_, tampering) => {
    const results = logs.map((_log, seed) => unnoticed(tampering, seed))
    expect(results.filter((result) => result !== null).length).toBeGreaterThan(0)
    expect(results.filter((result) => result !== null && result !== '')).toEqual([])
  })

  it.each(equalTamperings.map((tampering) => [tampering.name, tampering.why, tampering] as const))(
    'is as true as before if somebody should %s: %s',
    (_name, _why, { tamper }) => {
      const logsAfter = logs.map((log, seed) => tamper(log, drawing(seed + 99)))
      const applied = logsAfter.filter((log) => log !== null)
      expect(applied.length).toBeGreaterThan(0)
      for (const log of applied) expect(auditLog(textOf(log)).violations).toEqual([])
    },
  )
})
