import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperations } from '../src/api/create-api.js'
import { type ProblemCode, problemCodes } from '../src/api/index.js'
import { ApiWorld, type Reply, replyOf, type TestTenant } from '../testing/api/api-world.js'
import { oneOfEverything } from '../testing/api/sample.js'
import { DocumentedAnswers } from './api-fuzz/documented-answers.js'
import { Random } from './api-fuzz/random.js'
import { type RandomCall, RandomCalls } from './api-fuzz/random-calls.js'

const calls = process.env['KRON_LONG'] === '1' ? 100_000 : 3000
const unlimitedRate = 1_000_000_000

describe(`${calls} random calls made from the document of the API`, () => {
  let world: ApiWorld
  let tenant: TestTenant
  let random: RandomCalls
  let documented: DocumentedAnswers
  const ids: Record<string, string[]> = {}
  const statuses = new Map<number, number>()
  const answers = new Map(allOperations().map(({ operationId, answer }) => [operationId, answer]))

  beforeAll(async () => {
    world = await ApiWorld.open({
      signup: 'open',
      limits: { requestsPerMinute: unlimitedRate, failuresPerMinute: unlimitedRate },
    })
    tenant = await world.tenant()
    const sample = await oneOfEverything(world, tenant)
    for (const [name, id] of Object.entries(sample)) ids[name] = [id]
    const { body: document } = await tenant.send('GET', '/openapi.json')
    documented = new DocumentedAnswers(document.paths)
    random = new RandomCalls(document, new Random(20_260_301), ids)
  })
  afterAll(() => world.close())

  async function perform({ method, path, headers, body }: RandomCall): Promise<Reply> {
    const response = await world.app.request(path, {
      method,
      headers: { authorization: `Bearer ${tenant.key}`, ...headers },
      ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body }),
    })
    if (response.headers.get('content-type') !== 'text/event-stream') return replyOf(response)
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, text: '', body: null }
  }

  /** What was made can be used by later calls. */
  function remember({ operationId }: RandomCall, { status, body }: Reply): void {
    const names: Record<string, string> = {
      createJob: 'jobId',
      createEndpoint: 'endpointId',
      runEndpoint: 'runId',
      createKey: 'keyId',
    }
    const name = names[operationId]
    if (name === undefined || status >= 300 || typeof body?.id !== 'string') return
    ids[name] = [body.id, ...ids[name]!].slice(0, 20)
  }

  function flawOf(call: RandomCall, reply: Reply): string | null {
    const { status, headers, text, body } = reply
    if (status >= 500) return 'the server failed'
    if (!headers.get('x-request-id')?.startsWith('req_')) return 'it has no id'
    if (/\n\s+at |node_modules|SQLITE/.test(text)) return 'it shows what is inside'
    if (status < 400) return goodFlaw(call, reply)
    if (call.method === 'HEAD') return null
    if (headers.get('content-type') !== 'application/problem+json') return 'it is no problem+json'
    const kind = problemCodes[body.code as ProblemCode]
    if (kind === undefined || kind.status !== status) return 'its code is not that of its status'
    if (body.code === 'validation_failed' && typeof body.field !== 'string') return 'no field'
    // An answer that is given again has the id of its first request.
    if (headers.get('idempotency-replayed') !== null) return null
    return body.requestId === headers.get('x-request-id') ? null : 'it has another id'
  }

  function goodFlaw({ operationId, method }: RandomCall, { body, headers }: Reply): string | null {
    const schema = answers.get(operationId)?.schema
    // Another method of the same path is another operation.
    const isDocumented = schema !== undefined && body !== null && method !== 'HEAD'
    if (!isDocumented || headers.get('idempotency-replayed') !== null) return null
    const { method: declared } = allOperations().find((known) => known.operationId === operationId)!
    if (declared !== method.toLowerCase()) return null
    const issue = schema.safeParse(body).error?.issues[0]
    return issue === undefined ? null : `not as documented: ${JSON.stringify(issue)}`
  }

  it('get an answer each that is right in itself, and never a failure of the server', async () => {
    for (let n = 0; n < calls; n++) {
      const call = random.next()
      const reply = await perform(call)
      const flaw = flawOf(call, reply) ?? documented.flawOf(call.method, call.path, reply)
      if (flaw !== null) {
        const { body, ...shown } = call
        const sent = JSON.stringify({ ...shown, body: body?.slice(0, 500) })
        const logged = world.logged.slice(-1).join()
        expect.fail(`call ${n}: ${flaw}\n${sent}\n${reply.status} ${reply.text}\n${logged}`)
      }
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      remember(call, reply)
      if (n % 20 === 0) await world.clock.advanceBy(1000)
    }
    // That somebody tried to log in is no failure.
    expect(world.logged.filter((line) => !line.includes('log_in_refused'))).toEqual([])
  })

  it('were of all kinds: a good part was understood, and all usual refusals came up', () => {
    const count = (status: number): number => statuses.get(status) ?? 0
    expect(count(200) + count(201) + count(202) + count(204)).toBeGreaterThan(calls / 5)
    expect(count(400)).toBeGreaterThan(calls / 20)
    for (const status of [401, 404, 405, 409, 412, 413, 415, 422]) {
      expect([status, count(status)]).not.toEqual([status, 0])
    }
  })
})
