import { expect, it } from 'vitest'
import { violationsOf } from './invariants.js'
import { scenario } from './scenario.js'
import { observe } from './server-world.js'

const only = process.env['KRON_SEED']
const isLong = process.env['KRON_LONG'] === '1'

function seeds(): number[] {
  if (only !== undefined) return [Number(only)]
  const first = isLong ? Math.floor(Math.random() * 2 ** 31) : 1
  return Array.from({ length: isLong ? 5_000 : 60 }, (_, n) => first + n)
}

const timeout = isLong ? 3_600_000 : undefined

it(
  'sends no period twice and loses none, whatever dies and whatever the store says',
  async () => {
    const totals = { runs: 0, arrivals: 0, kills: 0, fenced: 0, planned: 0 }
    for (const seed of seeds()) {
      const observation = await observe(scenario(seed))
      totals.runs += observation.runs.length
      totals.arrivals += observation.arrivals.length
      totals.kills += observation.kills
      totals.planned += observation.runs.filter(({ source }) => source === 'ai-interval').length
      totals.fenced += observation.fenced
      const violations = violationsOf(observation)
      const replay = `KRON_SEED=${seed} npx vitest run simulation/server`
      expect(violations, [replay, ...violations.slice(0, 8)].join('\n')).toEqual([])
    }
    console.log(JSON.stringify(totals))
    expect(totals.arrivals).toBeGreaterThan(0)
    expect(totals.planned).toBeGreaterThan(0)
  },
  timeout,
)
