import { describe, expect } from 'vitest'
import { sampleSession } from './history-conformance.js'
import type { Check } from './world-conformance.js'

/** Written as an older program did, which knew nothing of a field: without it. */
const without = <Whole, Field extends keyof Whole>(whole: Whole, field: Field): Whole => {
  const { [field]: _, ...rest } = whole
  return rest as Whole
}

export function describeOlder(check: Check): void {
  describe('what an older program has written', () => {
    check('of an endpoint has the default of what came later', async (world) => {
      const place = await world.place()
      const { endpoint } = await world.endpoint(place, { timeoutMs: 7 })
      const definition = without(endpoint.definition, 'keepResponses')
      await world.as(place.tenant, async (rows) => {
        await rows.endpoints.update({ ...endpoint, definition })
        const found = (await rows.endpoints.get(endpoint.id))!.endpoint
        expect(found.definition).toEqual({ ...definition, keepResponses: true })
      })
    })

    check('of a planner session has no suggestions', async (world) => {
      const tenant = await world.tenant()
      const session = without(sampleSession(tenant, await world.now()), 'suggested')
      await world.as(tenant, async ({ sessions }) => {
        await sessions.append(session)
        expect(await sessions.get(session.id)).toEqual({ ...session, suggested: [] })
        const { items } = await sessions.list({ limit: 5, after: null })
        expect(items).toEqual([{ ...session, suggested: [] }])
      })
    })
  })
}
