import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { DatabaseLink } from '../../../testing/database-link.js'
import { OwnDatabase } from '../../../testing/own-database.js'
import { ListeningConnection } from './listening-connection.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a connection that listens', () => {
  const database = new OwnDatabase(server)
  let link: DatabaseLink
  let listening: ListeningConnection
  /** What happened, and who waits for the next. */
  let heard: string[]
  let next: PromiseWithResolvers<void>

  const note = (what: string): void => {
    heard.push(what)
    next.resolve()
    next = Promise.withResolvers()
  }

  async function heardTimes(what: string, times: number): Promise<void> {
    while (heard.filter((each) => each === what).length < times) await next.promise
  }

  beforeEach(async () => {
    await database.open()
    link = await DatabaseLink.to(database.url)
    heard = []
    next = Promise.withResolvers()
    listening = new ListeningConnection({
      url: link.url,
      channels: ['news'],
      onMessage: (channel, payload) => note(`${channel}: ${payload}`),
      onListening: () => note('listening'),
      heartbeatMs: 20,
      answerMs: 500,
      reconnectMs: 20,
    })
  })
  afterEach(async () => {
    await listening.close()
    await link.close()
    await database.close()
  })

  it('that goes silent is made again, and hears what is said from then on', async () => {
    await listening.open()
    link.silence()
    await database.admin.query(`NOTIFY news, 'unheard'`)
    await heardTimes('listening', 2)
    await database.admin.query(`NOTIFY news, 'heard'`)
    await heardTimes('news: heard', 1)
    expect(heard).toEqual(['listening', 'listening', 'news: heard'])
  })

  it('that never answered is made again', async () => {
    link.silenceAt('LISTEN')
    await listening.open()
    expect(heard).toEqual([])
    await heardTimes('listening', 1)
  })

  it('that is cut off is made again', async () => {
    await listening.open()
    link.cut()
    await heardTimes('listening', 2)
  })

  it('can be closed while it is silent', async () => {
    await listening.open()
    link.silence()
    await expect(listening.close()).resolves.toBeUndefined()
  })
})
