import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What each connection still has to be told. */
export class AnswersUnderWay {
  readonly #answers = new WeakMap<Socket, Set<ServerResponse>>()

  add(answer: ServerResponse): void {
    const { socket } = answer.req
    const answers = this.#answers.get(socket) ?? new Set()
    this.#answers.set(socket, answers.add(answer))
    answer.once('close', () => answers.delete(answer))
  }

  /**
   * Takes no more requests from a connection that sends what nobody can read. True when nothing
   * is being said on it, so that the flaw itself can be answered; otherwise answers to requests
   * that came whole end first, and one that is sent piece by piece is cut off: what is written
   * between its pieces would be taken for a part of it.
   */
  giveUp(socket: Socket): boolean {
    const answers = [...(this.#answers.get(socket) ?? [])]
    const open = answers.filter((answer) => answer.headersSent || answer.req.complete)
    if (open.length === 0) return true
    if (open.some((answer) => answer.headersSent && !answer.writableEnded)) socket.destroy()
    else void Promise.all(open.map(closed)).then(() => socket.destroySoon())
    return false
  }
}

function closed(answer: ServerResponse): Promise<void> {
  return new Promise((resolve) => void answer.once('close', resolve))
}
