import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { signalsOf } from './signal-source.js'

function heardOn(terminal: { exists: boolean; isGone: boolean }) {
  const emitter = new EventEmitter()
  const heard: string[] = []
  const own = { exists: () => terminal.exists, isGone: () => terminal.isGone }
  const unsubscribe = signalsOf(emitter, own).subscribe({
    stop: () => void heard.push('stop'),
    leave: () => void heard.push('leave'),
    reload: () => void heard.push('reload'),
  })
  return { emitter, heard, unsubscribe }
}

describe('a signal', () => {
  it.each([
    ['SIGTERM', 'stop'],
    ['SIGINT', 'stop'],
    ['SIGUSR2', 'leave'],
    ['SIGHUP', 'reload'],
  ])('%s means: %s', (signal, meaning) => {
    const { emitter, heard, unsubscribe } = heardOn({ exists: false, isGone: true })
    emitter.emit(signal)
    unsubscribe()
    emitter.emit(signal)
    expect(heard).toEqual([meaning])
  })

  it('SIGHUP reloads on a terminal that is still there, and leaves when it was closed', () => {
    const terminal = { exists: true, isGone: false }
    const { emitter, heard } = heardOn(terminal)
    emitter.emit('SIGHUP')
    terminal.isGone = true
    emitter.emit('SIGHUP')
    expect(heard).toEqual(['reload', 'leave'])
  })
})
