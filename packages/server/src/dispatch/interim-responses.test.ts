import { afterEach, describe, expect, it } from 'vitest'
import { rawTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox, textOf } from '../../testing/dispatch/sandbox.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const ok = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'

/** A target that sends these pieces for each request, each by itself. */
function target(pieces: readonly string[]) {
  return sandbox.up(
    rawTarget((socket) => {
      socket.setNoDelay(true)
      socket.on('data', () => {
        let last = Promise.resolve()
        for (const piece of pieces) {
          last = last.then(
            () => new Promise((sent) => socket.write(piece, () => setImmediate(sent))),
          )
        }
      })
    }),
  )
}

const letters = (text: string): string[] => [...text]

describe('a response that nobody asked for before the one that counts', () => {
  it.each([
    ['100 Continue', [goOn + ok('done')]],
    ['100 Continue in a packet of its own', [goOn, ok('done')]],
    ['100 Continue, letter by letter', letters(goOn + ok('done'))],
    [
      '100 Continue with headers',
      [`HTTP/1.1 100 Go\r\nx: \r\r\n${'y: z\r\n'.repeat(5000)}\r\n`, ok('done')],
    ],
    ['100 Continue of HTTP/1.0', [`HTTP/1.0 100 Continue\r\n\r\n${ok('done')}`]],
    ['100 Continue three times', [goOn + goOn + goOn + ok('done')]],
    ['102 Processing', [`HTTP/1.1 102 Processing\r\n\r\n${ok('done')}`]],
    ['103 Early Hints', ['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', ok('done')]],
    ['all of them', [`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 P\r\n\r\n`, ok('done')]],
    ['100 after 103', [`HTTP/1.1 103 Early Hints\r\n\r\n${goOn}`, ok('done')]],
  ])('%s is no failure', async (_, pieces) => {
    const { url } = await target(pieces)
    const sender = sandbox.dispatcher({ maxConnections: 1 })
    // The second one has the connection of the first.
    for (let sent = 0; sent < 2; sent++) {
      const result = await sender.send({ ...request(url), method: 'POST', body: 'x' }, never)
      expect(result).toMatchObject({ status: 'success', httpStatus: 200, error: null })
      expect(textOf(result)).toBe('done')
    }
  })

  it('is not looked for within a body', async () => {
    const { url } = await target([ok(`${goOn}${goOn}`)])
    expect(textOf(await sandbox.dispatcher().send(request(url), never))).toBe(`${goOn}${goOn}`)
  })

  it('and nothing after it is a connection that ended', async () => {
    const up = await sandbox.up(rawTarget((socket) => socket.on('data', () => socket.end(goOn))))
    const { status, error } = await sandbox.dispatcher().send(request(up.url), never)
    expect([status, error?.code]).toEqual(['failure', 'connection_reset'])
  })
})
