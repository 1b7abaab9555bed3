import type { Flow } from '../../src/process/output/captured-stream.js'

/** Room and fullness are as the test says. */
export function slowFlow() {
  const state = { hasRoom: true, isFull: false, dropped: 0, go: () => {} }
  const flow: Flow = {
    get hasRoom() {
      return state.hasRoom
    },
    get isFull() {
      return state.isFull
    },
    room: () =>
      new Promise((resolve) => {
        state.go = resolve
      }),
    drop(lines) {
      state.dropped += lines
    },
  }
  return { flow, state }
}
