import type { Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { GateChannel } from './gate-channel.js'

function make(): { channel: GateChannel; gate: Duplex; socket: Duplex } {
  const [socket, gate] = duplexPair()
  return { channel: new GateChannel(socket as unknown as Socket), gate, socket }
}

describe('the channel to a gate', () => {
  it('has its lines one by one, however they come, and then null', async () => {
    const { channel, gate } = make()
    gate.write('varia')
    gate.write('bles\nfound /x')
    expect(await channel.next()).toBe('variables')
    gate.end('\nready\nnot a li')
    expect([await channel.next(), await channel.next()]).toEqual(['found /x', 'ready'])
    expect([await channel.next(), await channel.next()]).toEqual([null, null])
  })

  it('has paths as they are, even where a chunk ends within a character', async () => {
    const { channel, gate } = make()
    const bytes = Buffer.from('found /käse/€\n')
    for (const byte of bytes) gate.write(Buffer.of(byte))
    expect(await channel.next()).toBe('found /käse/€')
  })

  it('wakes who waits for a line', async () => {
    const { channel, gate } = make()
    const waiting = channel.next()
    gate.write('ready\n')
    expect(await waiting).toBe('ready')
  })

  it('wakes who waits when it is closed, and answers nobody then', async () => {
    const { channel, socket } = make()
    const waiting = channel.next()
    channel.close()
    expect(await waiting).toBeNull()
    channel.send('go\n')
    expect([socket.destroyed, socket.writableLength]).toEqual([true, 0])
  })

  it('answers the gate', async () => {
    const { channel, gate } = make()
    channel.send('go\n')
    const [answer] = await gate.take(1).toArray()
    expect(String(answer)).toBe('go\n')
  })

  it('does not answer a gate that has ended', async () => {
    const { channel, gate } = make()
    const answers: unknown[] = []
    gate.on('data', (answer) => answers.push(answer))
    gate.end('bye\n')
    expect([await channel.next(), await channel.next()]).toEqual(['bye', null])
    channel.send('go\n')
    await new Promise(setImmediate)
    expect(answers).toEqual([])
  })

  it('ends with an error of the stream, which is nobody else’s', async () => {
    const { channel, socket } = make()
    const waiting = channel.next()
    socket.emit('error', new Error('ECONNRESET'))
    expect(await waiting).toBeNull()
  })

  it.each([
    [4096, false],
    [4097, true],
  ])('is closed by a line of %i characters that does not end: %s', async (length, isClosed) => {
    const { channel, gate, socket } = make()
    gate.write(`ready\n${'x'.repeat(length)}`)
    expect(await channel.next()).toBe('ready')
    expect(socket.destroyed).toBe(isClosed)
  })
})
