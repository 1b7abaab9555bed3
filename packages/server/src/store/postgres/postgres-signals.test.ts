import type { Notification } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import type { RunEvent } from '../index.js'
import { abortText, channels, eventsText, sayingText, secretText } from './notifications.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('what others say on the channels of PostgreSQL', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  const say = (channel: string, payload: string) =>
    database.admin.query('SELECT pg_notify($1, $2)', [channel, payload])
  const fromElsewhere = (said: string): string => sayingText({ origin: 'elsewhere', said })

  /** Listens as a process does, up to the run that is given up last. */
  async function heardUntil(last: string, tenantId: string, speak: () => Promise<void>) {
    const { signals } = database.world.store
    const heard: unknown[] = []
    let ended = (): void => undefined
    const isOver = new Promise<void>((resolve) => {
      ended = resolve
    })
    const removers = [
      signals.onWake((instant) => heard.push(instant)),
      signals.onSecret((secret) => heard.push(secret)),
      signals.onEvent(tenantId, (event) => {
        // As an event stream does, which shows the instant.
        new Date(event.at).toISOString()
        heard.push(event)
      }),
      signals.onAbort((run) => {
        heard.push(run)
        if (run.endpointId === last) ended()
      }),
    ]
    await speak()
    await isOver
    for (const remove of removers) remove()
    return heard
  }

  it('is ignored where it can not be read, and heard where it can', async () => {
    const { id: tenantId } = await database.world.tenant()
    const event: RunEvent = {
      tenantId,
      type: 'run.ended',
      subject: 'run_x',
      status: 'success',
      at: 5,
    }
    const broken: unknown[] = [
      ...[null, 7, 'text', {}, [null], [7], [{}], [event, {}]],
      ...[{ type: 'x\ny' }, { at: 1e300 }, { at: '5' }, { subject: 5 }, { status: 5 }].map(
        (change) => [{ ...event, ...change }],
      ),
    ]
    const run = { endpointId: 'ep_last', scheduledFor: 9 }
    const secret = { tenantId, name: 'main' }
    const heard = await heardUntil(run.endpointId, tenantId, async () => {
      for (const payload of ['', ' ', 'x', '{', 'x {', '-', 'NaN', '1e400', '.', '..', 'ep_x.']) {
        for (const channel of Object.values(channels)) await say(channel, payload)
      }
      for (const payload of ['ep_x.NaN', '.5', 'ep_x.5.5', `ep_x.${'9'.repeat(16)}`]) {
        await say(channels.abort, payload)
      }
      for (const events of broken) await say(channels.events, fromElsewhere(JSON.stringify(events)))
      await say(channels.events, fromElsewhere(eventsText([event])))
      await say(channels.wake, '7')
      await say(channels.secret, secretText(secret))
      await say(channels.abort, abortText(run))
    })
    expect(heard).toEqual([event, 7, secret, run])
  })

  it('makes events of a tenant wanted, and of nothing that is no tenant', async () => {
    const { signals } = database.world.store
    const { id: tenantId } = await database.world.tenant()
    const run = { endpointId: 'ep_end', scheduledFor: 9 }
    await heardUntil(run.endpointId, 'ten_of_nobody', async () => {
      for (const said of ['', 'anything', tenantId])
        await say(channels.interest, fromElsewhere(said))
      await say(channels.abort, abortText(run))
    })
    expect(signals.isWanted(tenantId)).toBe(true)
    expect(['', 'anything'].some((said) => signals.isWanted(said))).toBe(false)
  })

  it('is heard each once by another process, however many events there are', async () => {
    const { world, url } = database
    const { id: tenantId } = await world.tenant()
    const events = Array.from({ length: 200 }, (_, at): RunEvent => {
      return { tenantId, type: 'run.ended', subject: `run_${at}`, status: 'success', at }
    })
    const elsewhere = openPostgresStore({ url })
    await elsewhere.migrate()
    const heard: RunEvent[] = []
    const isOver = new Promise<void>((resolve) => {
      elsewhere.signals.onEvent(tenantId, (event) => {
        if (heard.push(event) === events.length) resolve()
      })
    })
    while (!world.store.signals.isWanted(tenantId)) await world.store.time()
    world.store.signals.publish(events)
    await isOver
    await elsewhere.close()
    expect(heard.toSorted((a, b) => a.at - b.at)).toEqual(events)
  })

  it('is made up for after a break, by a look and by asking for events again', async () => {
    const { world, admin, other } = database
    const { signals } = world.store
    const { id: tenantId } = await world.tenant()
    const isAsked = (): Promise<void> =>
      new Promise((resolve) => {
        const listener = ({ payload = '' }: Notification): void => {
          if (payload.endsWith(` ${tenantId}`)) resolve(void other.off('notification', listener))
        }
        other.on('notification', listener)
      })
    await other.query(`LISTEN ${channels.interest}`)
    const first = isAsked()
    const stopEvents = signals.onEvent(tenantId, () => undefined)
    await first
    const again = isAsked()
    let stopWakes = (): void => undefined
    const woken = new Promise<number>((resolve) => {
      stopWakes = signals.onWake(resolve)
    })
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'kron' AND query LIKE 'LISTEN %'`)
    expect(await woken).toBe(0)
    await again
    stopEvents()
    stopWakes()
    await other.query(`UNLISTEN ${channels.interest}`)
  })
})
