import { afterEach, expect, it } from 'vitest'
import { httpTarget } from '../../testing/dispatch/local-target.js'
import { type NameServer, silent, startNameServer } from '../../testing/dispatch/name-server.js'
import { request, Sandbox } from '../../testing/dispatch/sandbox.js'
import { Stop } from './stop.js'

const sandbox = new Sandbox()
let names: NameServer
afterEach(async () => {
  await sandbox.close()
  await names.close()
})

it('ten names whose servers are silent let all runs of another tenant through', async () => {
  const target = await sandbox.up(httpTarget((_, response) => response.end('ok')))
  names = await startNameServer((name) => (name.endsWith('dead.test') ? silent : ['127.0.0.1']))
  const sender = sandbox.dispatcher({ nameFiles: names.files })
  const stop = new Stop()
  let ended = 0
  const dead = Array.from({ length: 10 }, async (_, n) => {
    const sent = request(`http://${n}.dead.test/`, { tenantId: 'unlucky' })
    const result = await sender.send(sent, stop)
    ended++
    return result
  })
  for (let run = 0; run < 8; run++) {
    const url = `http://${run}.live.test:${target.port}/`
    const { status } = await sender.send(request(url, { tenantId: 'another' }), new Stop())
    expect(status).toBe('success')
  }
  // All of it happened while nobody had answered for a single one of them.
  expect(ended).toBe(0)
  stop.stop('test')
  for (const { status } of await Promise.all(dead)) expect(status).toBe('cancelled')
})

it('a name whose server is silent fails as such, before the time to connect is over', async () => {
  names = await startNameServer(() => silent, { options: 'options timeout:1 attempts:1' })
  const sender = sandbox.dispatcher({ nameFiles: names.files })
  const { error } = await sender.send(request('http://a.dead.test/'), new Stop())
  expect(error).toEqual({
    code: 'dns_failed',
    message: "can't resolve a.dead.test: the name server does not answer",
  })
})
