import { expect, it } from 'vitest'
import { ApiWorld } from './testing/api-world.js'
import { newEndpoint, newJob } from './testing/sample.js'

it('forecast', async () => {
  const w = await ApiWorld.open()
  const { send } = await w.tenant()
  const job = await newJob(send)
  await newEndpoint(send, job, { name: 'i', intervalMs: 1 })
  await newEndpoint(send, job, { name: 'c', cron: '* * * * * *' }).catch(() =>
    newEndpoint(send, job, { name: 'c', cron: '* * * * *' }),
  )
  for (let i = 0; i < 3; i++) {
    const t = performance.now()
    const r = await send('GET', '/forecast?minutes=1440')
    console.log('ms', performance.now() - t, r.body.truncated)
  }
  for (let n = 0; n < 200; n++)
    await newEndpoint(send, job, { name: 'x' + n, cron: '* * * * * @win(after,30s)' })
  for (let i = 0; i < 2; i++) {
    const t = performance.now()
    const r = await send('GET', '/forecast?minutes=1440')
    console.log('ms', performance.now() - t, r.body.truncated)
  }
  const t = performance.now()
  for (let i = 0; i < 500; i++) await send('GET', '/tenant')
  console.log('GET /tenant each ms', (performance.now() - t) / 500)
  await w.close()
  expect(1).toBe(1)
})
